// The find box as a palette: Ctrl-K, "/", a click or typing opens a dialog, into which the one form moves. The server finds,
// and offers the vehicles searched last and the places of the menu before anything is typed. What fits best is chosen at first;
// arrows choose, Enter opens, or searches a new number at once, Escape clears and closes. Without scripts the form leads to the
// page of results.
const ROLES = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "palette-found" };

class FindPalette extends HTMLElement {
  connectedCallback() {
    if (this.form) return;
    this.form = this.querySelector("form");
    this.input = this.querySelector("input");
    this.dialog = this.querySelector("dialog");
    this.searching = this.dialog.querySelector(".palette-search");
    // A key that leads here clicks as well, and what is typed next takes the place of the words before.
    this.input.addEventListener("click", ({ detail }) => this.open(!detail));
    this.input.addEventListener("input", () => { this.choose(null); this.open(); });
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.form.addEventListener("submit", () => setTimeout(() => this.dialog.close()));
    this.dialog.addEventListener("close", () => this.closed());
    this.dialog.querySelector(".palette-close").addEventListener("submit", () => { this.input.value = ""; });
    this.dialog.addEventListener("cancel", () => { this.input.value = ""; });
    this.dialog.addEventListener("click", ({ target }) => { if (target === this.dialog || target.closest("a")) this.dialog.close(); });
    this.dialog.addEventListener("click", (event) => this.search(event), true);
    ["htmx:beforeOnLoad", "htmx:afterRequest"].forEach((name) => this.searching.addEventListener(name, () => this.leave()));
    this.dialog.addEventListener("htmx:afterSwap", () => this.found());
    // What was typed says nothing of another page than that of the results.
    document.addEventListener("htmx:pushedIntoHistory", () => {
      this.dialog.close();
      if (location.pathname !== new URL(this.form.action).pathname) this.input.value = "";
    });
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) this.open(true);
      else if (this.dialog.open) this.input.select();
    });
  }

  open(anew) {
    if (this.dialog.open) return;
    this.dialog.prepend(this.form);
    this.dialog.showModal();
    Object.entries(ROLES).forEach(([name, value]) => this.input.setAttribute(name, value));
    this.input.focus();
    if (anew) this.input.select();
    htmx.trigger(this.input, "wanted");
  }

  // The page that comes gives the focus away, which the field must not hold any more.
  leave() {
    this.dialog.close();
    this.input.blur();
  }

  // The event comes a moment later, when it may be open again.
  closed() {
    if (this.dialog.open) return;
    htmx.trigger(this.input, "htmx:abort");
    this.choose(null);
    Object.keys(ROLES).forEach((name) => this.input.removeAttribute(name));
    this.prepend(this.form);
  }

  // What was chosen before the answer came stays chosen, if it is still found. Nothing is chosen of an answer to other words.
  found() {
    const list = this.dialog.querySelector("#palette-found");
    const typed = this.input.value.trim();
    const isAnswer = list.dataset.typed === typed.slice(0, 100);
    const options = this.options();
    const best = options.find((each) => "best" in each.dataset) ?? options.find((each) => !("instead" in each.dataset));
    this.choose(options.find((each) => each.href === this.chosen) ?? (isAnswer ? best : undefined));
  }

  // A number that nobody has searched: it stays here while the service is asked. What a button of the header does, it does.
  search(event) {
    const { searches, presses } = event.target.closest("a")?.dataset ?? {};
    if (!(searches || presses) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    if (presses) {
      this.input.value = "";
      this.leave();
      document.querySelector(presses).click();
      return;
    }
    this.searching.elements.rc_number.value = searches;
    this.searching.requestSubmit();
  }

  options() {
    return [...this.dialog.querySelectorAll("a[role=option]")].filter((each) => !this.dialog.open || each.checkVisibility());
  }

  choose(option) {
    this.chosen = option?.href;
    this.options().forEach((each) => each.setAttribute("aria-selected", String(each === option)));
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  // Beyond either end of the list is the field itself.
  press(event) {
    if (!this.dialog.open || event.isComposing) return;
    const options = this.options();
    const at = options.findIndex((each) => each.ariaSelected === "true");
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const places = options.length + 1;
      const next = (at + 1 + (event.key === "ArrowDown" ? 1 : -1) + places) % places;
      this.choose(next ? options[next - 1] : null);
    } else if (event.key === "Enter" && at >= 0) {
      options[at].click();
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.dialog.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
customElements.define("find-palette", FindPalette);
