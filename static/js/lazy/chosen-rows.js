// What can be done with the ticked rows of a list. The ticks outlast the rows, which come anew when one has changed.
customElements.define("chosen-rows", class extends HTMLElement {
  connectedCallback() {
    this.list = this.closest(".links-list");
    this.list.addEventListener("change", ({ target }) => {
      if (target.matches("[data-all]")) this.tick(() => target.checked);
      else if (target.name === "link") this.tick((box) => box.checked);
    });
    this.querySelector("[data-clear]").addEventListener("click", () => this.tick(() => false));
    // A row that has left the list is not chosen any more.
    this.again = () => this.tick((box) => this.chosen.has(box.value));
    document.addEventListener("region-updated", this.again);
    this.followUp = this.querySelector("[data-follow-up]");
    this.followUpWords = this.followUp.textContent;
    this.tick((box) => box.checked);
  }

  disconnectedCallback() {
    document.removeEventListener("region-updated", this.again);
  }

  tick(isWanted) {
    const boxes = [...this.list.querySelectorAll("[name=link]")];
    boxes.forEach((box) => { box.checked = isWanted(box); });
    const chosen = boxes.filter((box) => box.checked);
    const open = chosen.filter((box) => "open" in box.dataset);
    this.chosen = new Set(chosen.map((box) => box.value));
    const { size } = this.chosen;
    const words = this.querySelector("[data-many]");
    words.textContent = size ? this.words(chosen, open, words.dataset) : "";
    this.followUp.disabled = size > 0 && !open.length;
    this.followUp.textContent = open.length && open.length < size
      ? this.followUp.dataset.some.replace("%(open)s", open.length).replace("%(count)s", size)
      : this.followUpWords;
    this.toggleAttribute("data-any", size > 0);
    const all = this.list.querySelector("[data-all]");
    if (all) all.checked = size > 0 && size === boxes.length;
  }

  // How many are chosen, and the sum of what is known of their amounts, in hundredths. What can still be paid and what cannot
  // are never added up.
  words(chosen, open, { many, sum, unknown, noSum, collect, none }) {
    const isMixed = open.length && open.length < chosen.length;
    const summed = isMixed ? open : chosen;
    const known = summed.filter((box) => box.dataset.amount);
    const hundredths = known.reduce((all, box) => all + Math.round(100 * box.dataset.amount), 0);
    const written = (hundredths / 100).toLocaleString("en-IN", { minimumFractionDigits: 2 });
    const parts = [many.replace("%(count)s", chosen.length)];
    const missing = summed.length - known.length;
    const beside = missing ? ` ${unknown.replace("%(count)s", missing)}` : "";
    if (!open.length) parts.push(none);
    else parts.push(known.length ? (isMixed ? collect : sum).replace("0.00", written) + beside : noSum);
    return parts.join(" · ");
  }
});
