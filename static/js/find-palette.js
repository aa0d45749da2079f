// The find box as a palette: Ctrl-K, "/", a click or typing opens a dialog, into which the one form moves. The server finds,
// and offers the vehicles searched last before anything is typed; the places of the menu are found by their names. What fits best
// is chosen at first; arrows choose, Enter opens, Escape clears and closes. Without scripts the form leads to the page of results.
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
    this.dialog.addEventListener("cancel", () => { this.input.value = ""; });
    this.dialog.addEventListener("click", ({ target }) => { if (target === this.dialog || target.closest("a")) this.dialog.close(); });
    this.dialog.addEventListener("htmx:afterSwap", () => this.found());
    // What was typed says nothing of another page than that of the results.
    document.addEventListener("htmx:pushedIntoHistory", () => {
      this.dialog.close();
      if (location.pathname !== new URL(this.form.action).pathname) this.input.value = "";
    });
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

  // What was chosen before the answer came stays chosen, if it is still found. Nothing is chosen of an answer to other words.
  found() {
    const list = this.dialog.querySelector("#palette-found");
    const typed = this.input.value.trim();
    const isAnswer = list.dataset.typed === typed.slice(0, 100);
    if (isAnswer) this.offerPlaces(list, typed.toLocaleLowerCase());
    const options = this.options();
    const best = isAnswer && (options.find((each) => "best" in each.dataset) ?? options.find((each) => !("instead" in each.dataset)));
    this.choose(options.find((each) => each.href === this.chosen) ?? best);
  }

  // The places that the menu has, before what was found where their names begin so.
  offerPlaces(list, typed) {
    const places = [...document.querySelectorAll("#site-nav a, .person-sheet a")].map((link) => {
      const name = (link.querySelector("span") ?? link).firstChild.textContent.trim();
      return { link, name, count: link.querySelector(".menu-count")?.firstChild?.textContent };
    }).filter(({ link, name }) => (typed
      ? typed.length > 1 && name.toLocaleLowerCase().startsWith(typed)
      : link.closest("#site-nav") && !link.ariaCurrent));
    if (!places.length) return;
    list.querySelectorAll(".palette-none, [data-instead]").forEach((each) => each.remove());
    const group = document.createElement("div");
    group.role = "group";
    group.setAttribute("aria-labelledby", "palette-places");
    const title = Object.assign(document.createElement("p"), { className: "palette-title", id: "palette-places", textContent: _("Go to") });
    title.role = "presentation";
    group.append(title, ...places.map(({ link, name, count }, at) => {
      const textContent = count ? `${name} (${count})` : name;
      const option = Object.assign(document.createElement("a"), { className: "found", id: `palette-place-${at}`, href: link.href, textContent });
      Object.assign(option, { role: "option", tabIndex: -1, ariaSelected: "false" });
      return option;
    }));
    if (typed) list.prepend(group);
    else list.append(group);
    htmx.process(group);
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
