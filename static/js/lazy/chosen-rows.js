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
    this.tick((box) => box.checked);
  }

  disconnectedCallback() {
    document.removeEventListener("region-updated", this.again);
  }

  tick(isWanted) {
    const boxes = [...this.list.querySelectorAll("[name=link]")];
    boxes.forEach((box) => { box.checked = isWanted(box); });
    this.chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    const { size } = this.chosen;
    const words = this.querySelector("[data-many]");
    words.textContent = size ? this.words(boxes.filter((box) => box.checked), words.dataset) : "";
    this.toggleAttribute("data-any", size > 0);
    const all = this.list.querySelector("[data-all]");
    if (all) all.checked = size > 0 && size === boxes.length;
  }

  // How many are chosen, and the sum of what is known of their amounts, in hundredths.
  words(chosen, { many, sum, unknown }) {
    const known = chosen.filter((box) => box.dataset.amount);
    const hundredths = known.reduce((all, box) => all + Math.round(100 * box.dataset.amount), 0);
    const written = (hundredths / 100).toLocaleString("en-IN", { minimumFractionDigits: 2 });
    const parts = [many.replace("%(count)s", chosen.length)];
    if (known.length) parts.push(sum.replace("0.00", written));
    if (known.length < chosen.length) parts.push(unknown.replace("%(count)s", chosen.length - known.length));
    return parts.join(" · ");
  }
});
