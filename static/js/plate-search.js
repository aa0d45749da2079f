// Offers known vehicles while a number is typed: a combobox, whose options the server finds. Enter without a choice
// searches. A search closes the list, and no answer to what was typed before it opens one over the result.
class PlateSearch extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    const roles = { role: "combobox", "aria-autocomplete": "list", "aria-haspopup": "listbox", "aria-expanded": "false", "aria-controls": "known-plates" };
    Object.entries(roles).forEach(([name, value]) => this.input.setAttribute(name, value));
    this.input.addEventListener("input", () => { this.type(); });
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.closest("form").addEventListener("submit", () => this.stop());
    this.addEventListener("focusout", () => this.stop());
    // The focus stays in the field.
    this.addEventListener("pointerdown", (event) => { if (event.target !== this.input) event.preventDefault(); });
    this.addEventListener("mousedown", (event) => { if (event.target !== this.input) event.preventDefault(); });
    this.addEventListener("click", ({ target }) => { if (target.closest("[role=option]")) this.stop(); });
    this.addEventListener("htmx:beforeRequest", (event) => { if (!this.wanted) event.preventDefault(); });
    this.addEventListener("htmx:beforeSwap", ({ detail }) => { if (!this.wanted) detail.shouldSwap = false; });
    this.addEventListener("htmx:afterSettle", () => this.open()); // Once htmx follows the links of the list.
  }

  list() {
    return this.querySelector("[role=listbox]");
  }

  options() {
    return [...this.list().children];
  }

  type() {
    this.wanted = Boolean(this.input.value.trim());
    this.first = false;
    if (!this.wanted) this.stop();
    else this.choose(null);
  }

  open() {
    if (!this.wanted || !this.options().length) {
      this.close();
      return;
    }
    this.list().hidden = false;
    this.input.ariaExpanded = "true";
    if (this.first) this.choose(this.options()[0]);
  }

  close() {
    this.choose(null);
    this.list().hidden = true;
    this.input.ariaExpanded = "false";
  }

  // Nothing is offered until somebody types again.
  stop() {
    this.wanted = false;
    htmx.trigger(this.input, "htmx:abort");
    this.close();
  }

  choose(option) {
    this.chosen()?.setAttribute("aria-selected", "false");
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }

  chosen() {
    return this.list().querySelector("[aria-selected=true]");
  }

  press(event) {
    const isOpen = !this.list().hidden;
    const chosen = this.chosen();
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (isOpen) this.move(event.key === "ArrowDown" ? 1 : -1);
      else this.ask();
    } else if (event.key === "Escape" && isOpen) {
      this.stop();
    } else if (event.key === "Enter" && chosen) {
      chosen.click();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // Beyond either end of the list is the field itself, as it was typed.
  move(step) {
    const options = this.options();
    const places = options.length + 1;
    const next = (options.indexOf(this.chosen()) + 1 + step + places) % places;
    this.choose(next ? options[next - 1] : null);
  }

  // Asked for by an arrow, the list opens on what is typed, or on the vehicles searched last.
  ask() {
    this.wanted = true;
    this.first = true;
    htmx.trigger(this.input, "known-vehicles");
  }
}
customElements.define("plate-search", PlateSearch);
