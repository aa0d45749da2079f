// The find box as a palette: Ctrl-K, "/", a click or typing opens a dialog, into which the one form moves. The server finds,
// and offers the vehicles searched last before anything is typed; arrows choose, Enter opens, Escape closes. Without scripts the form leads to the page of results.
const ROLES = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "true", "aria-controls": "palette-found" };

class FindPalette extends HTMLElement {
  connectedCallback() {
    if (this.form) return;
    this.form = this.querySelector("form");
    this.input = this.querySelector("input");
    this.dialog = this.querySelector("dialog");
    this.input.addEventListener("click", () => this.open());
    this.input.addEventListener("input", () => { this.choose(null); this.open(); });
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.form.addEventListener("submit", () => setTimeout(() => this.dialog.close()));
    this.dialog.addEventListener("close", () => this.closed());
    this.dialog.addEventListener("click", ({ target }) => { if (target === this.dialog || target.closest("a")) this.dialog.close(); });
    // What was chosen before the answer came stays chosen, if it is still found.
    this.dialog.addEventListener("htmx:afterSwap", () => this.choose(this.options().find((each) => each.href === this.chosen)));
    document.addEventListener("htmx:pushedIntoHistory", () => this.dialog.close());
    document.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k" || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector("dialog[open]")) this.open();
    });
  }

  open() {
    if (this.dialog.open) return;
    this.dialog.prepend(this.form);
    this.dialog.showModal();
    Object.entries(ROLES).forEach(([name, value]) => this.input.setAttribute(name, value));
    this.input.focus();
    htmx.trigger(this.input, "wanted");
  }

  closed() {
    htmx.trigger(this.input, "htmx:abort");
    this.choose(null);
    Object.keys(ROLES).forEach((name) => this.input.removeAttribute(name));
    this.prepend(this.form);
  }

  options() {
    return [...this.dialog.querySelectorAll("a[role=option]")];
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
      this.dialog.close();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}
customElements.define("find-palette", FindPalette);
