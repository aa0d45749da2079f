// What can be done with the ticked rows of a list. Ticks outlast a changed filter, another page of the list, and Back: the
// bar says how many of them stand elsewhere, until they are cleared or sent to Follow up.
const kept = new Map(); // By id: its traits, such as "unsent", and its amount where that is known.

const having = (trait, links) => links.filter(({ traits }) => traits.includes(trait));

customElements.define("chosen-rows", class extends HTMLElement {
  connectedCallback() {
    this.list = this.closest(".links-list");
    this.elsewhere = this.querySelector("[data-elsewhere]");
    this.followUp = this.querySelector("[data-follow-up]");
    this.send = this.querySelector("[data-send]");
    this.remind = this.querySelector("[name=remind]");
    [this.followUp, this.send].forEach((button) => { button.dataset.all = button.querySelector("span").textContent; });
    this.all = this.querySelector("[data-choose-all]");
    this.list.addEventListener("change", ({ target }) => {
      if (target.matches("[data-all]")) this.tick(() => target.checked);
      else if (target.name === "link") this.tick((box) => box.checked);
    });
    this.querySelector("[data-clear]").addEventListener("click", () => { kept.clear(); this.tick(() => false); });
    this.all?.addEventListener("click", () => this.chooseAll());
    // What is in Follow up by now is not chosen any more.
    this.list.addEventListener("htmx:beforeSwap", ({ detail }) => {
      if (detail.requestConfig.elt === this.followUp && detail.xhr.status < 400) kept.clear();
    });
    // A row that has left the list meanwhile is not chosen any more.
    this.again = () => {
      const boxes = new Set(this.boxes().map((box) => box.value));
      this.shown.filter((id) => !boxes.has(id)).forEach((id) => kept.delete(id));
      this.tick((box) => kept.has(box.value));
    };
    document.addEventListener("region-updated", this.again);
    this.tick((box) => box.checked || kept.has(box.value));
  }

  disconnectedCallback() {
    document.removeEventListener("region-updated", this.again);
  }

  boxes() {
    return [...this.list.querySelectorAll("[name=link][type=checkbox]")];
  }

  // The links that match the filter, whichever page they are on.
  async chooseAll() {
    const answer = await fetch(this.all.dataset.chooseAll).catch(() => null);
    if (!answer?.ok) return;
    (await answer.json()).forEach(({ id, traits, amount }) => kept.set(id, { traits, amount }));
    this.tick((box) => kept.has(box.value));
    this.querySelector("[data-clear]").focus();
  }

  tick(isWanted) {
    const boxes = this.boxes();
    boxes.forEach((box) => {
      box.checked = isWanted(box);
      if (box.checked) kept.set(box.value, { traits: box.dataset.traits.split(" "), amount: box.dataset.amount });
      else kept.delete(box.value);
    });
    this.shown = boxes.map((box) => box.value);
    const onPage = new Set(this.shown);
    const others = [...kept.keys()].filter((id) => !onPage.has(id));
    this.elsewhere.replaceChildren(...others.map((value) => Object.assign(document.createElement("input"), { type: "hidden", name: "link", value })));
    const chosen = [...kept.values()];
    const open = having("open", chosen);
    const ready = having("ready", chosen);
    const unsent = having("unsent", ready).length;
    const given = ready.length - unsent;
    const { size } = kept;
    const words = this.querySelector("[data-many]");
    const isTooMany = size > words.dataset.most;
    words.replaceChildren(...(size ? this.words(chosen, others.length, isTooMany, words.dataset) : []));
    this.querySelectorAll("[type=submit]").forEach((button) => { button.disabled = isTooMany; });
    [this.followUp, this.send].forEach((button) => { button.disabled ||= size > 0 && !open.length; });
    // Which of them a button touches. What was not sent goes first; who has a link by now is reminded by a choice of its own.
    const { all, some } = this.followUp.dataset;
    this.followUp.querySelector("span").textContent = open.length && open.length < size
      ? some.replace("%(part)s", open.length).replace("%(count)s", size)
      : all;
    const { remind, drivers } = this.send.dataset;
    this.send.querySelector("span").textContent = unsent
      ? this.send.dataset.some.replace("%(count)s", unsent)
      : given
        ? remind.replace("%(count)s", given)
        : open.length > having("withheld", open).length ? drivers : this.send.dataset.all;
    this.remind.hidden = !unsent || !given;
    this.remind.textContent = remind.replace("%(count)s", given);
    this.toggleAttribute("data-any", size > 0);
    const isWhole = boxes.length > 0 && boxes.every((box) => box.checked);
    this.list.querySelectorAll("[data-all]").forEach((all) => { all.checked = isWhole; });
    if (this.all) this.all.hidden = !isWhole || size >= this.all.dataset.count;
  }

  // How many are chosen, and the sum of what is known of their amounts, in hundredths. What can still be collected and what
  // cannot, or not for certain, are never added up.
  words(chosen, others, isTooMany, { many, other, tooMany, sum, unknown, noSum, collect, unsent, driverless, none }) {
    const collectable = having("open", chosen).filter(({ traits }) => !traits.includes("unknown"));
    const isMixed = collectable.length && collectable.length < chosen.length;
    const summed = isMixed ? collectable : chosen;
    const known = summed.filter(({ amount }) => amount);
    const hundredths = known.reduce((all, { amount }) => all + Math.round(100 * amount), 0);
    const written = (hundredths / 100).toLocaleString("en-IN", { minimumFractionDigits: 2 });
    const parts = [many.replace("%(count)s", chosen.length)];
    if (others) parts.push(other.replace("%(count)s", others));
    if (isTooMany) return [[...parts, tooMany].join(" · ")];
    const missing = summed.length - known.length;
    const beside = missing ? ` ${unknown.replace("%(count)s", missing)}` : "";
    if (!having("open", chosen).length) parts.push(none);
    else parts.push(known.length ? (isMixed ? collect : sum).replace("0.00", written) + beside : noSum);
    const details = [["unsent", unsent], ["driverless", driverless]].flatMap(([trait, said]) => {
      const { length } = having(trait, chosen);
      return length ? [said.replace("%(count)s", length)] : [];
    });
    const detail = Object.assign(document.createElement("span"), { className: "chosen-detail", textContent: details.join(" · ") });
    if (details.length) detail.prepend(Object.assign(document.createElement("span"), { className: "dot", textContent: " · " }));
    return [parts.join(" · "), detail];
  }
});

// Whom a link is sent to is chosen in its row: the menu takes the place of the link that leads to the page for it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-send-to]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  event.stopPropagation();
  const menu = document.getElementById("send-to-menu").content.cloneNode(true).firstElementChild;
  [menu, ...menu.querySelectorAll("*")].forEach((each) => [...each.attributes].forEach(({ name, value }) => {
    each.setAttribute(name, value.replace("00000000-0000-0000-0000-000000000000", link.dataset.sendTo));
  }));
  const summary = menu.querySelector("summary");
  summary.className = link.className;
  summary.querySelector(".vh").replaceWith(link.querySelector(".vh"));
  link.replaceWith(menu);
  htmx.process(menu);
  summary.click();
  summary.focus();
}, true);
