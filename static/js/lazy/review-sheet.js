// Opens the review beside the list of challans, under an address of its own. Back, Escape, Close and a click beside it
// return to the list as it was: no request is made, and nothing of it is drawn anew.
class ReviewSheet extends HTMLElement {
  connectedCallback() {
    this.dialog = this.querySelector("dialog");
    this.place = this.querySelector("#review-place");
    this.place.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
      if (target === this.place && detail.shouldSwap && !this.isOpen) this.listTitle = document.title;
    });
    this.place.addEventListener("htmx:afterSettle", ({ target }) => { if (target === this.place) this.open(); });
    this.dialog.addEventListener("close", () => this.closed());
    this.dialog.addEventListener("pointerdown", ({ target }) => { this.pressed = target; });
    this.dialog.addEventListener("click", (event) => this.clicked(event));
    this.dialog.addEventListener("keydown", (event) => this.typed(event));
    this.querySelector("[data-close]").addEventListener("click", () => this.dialog.close());
    this.follow = (event) => this.goes(event);
    document.addEventListener("within-page", this.follow);
    this.listTitle = document.title;
    if (this.place.childElementCount) this.open(); // It came before this script.
  }

  disconnectedCallback() {
    document.removeEventListener("within-page", this.follow);
  }

  open() {
    this.isOpen = true;
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
    // Not the button: the Enter that opened the review, pressed once more, must not send what nobody has read.
    (this.place.querySelector("[aria-invalid=true]") ?? this.querySelector("#review-title")).focus();
    document.dispatchEvent(new CustomEvent("announce", { detail: document.title.split(" · ")[0] }));
  }

  closed() {
    if (!this.isOpen) return;
    if (location.pathname === this.dataset.review) history.back();
    else this.leave();
  }

  leave() {
    this.isOpen = false;
    this.dialog.close();
    document.title = this.listTitle;
    document.getElementById("open-review")?.focus({ preventScroll: true });
  }

  goes(event) {
    const { list, review } = this.dataset;
    if (this.isOpen && location.pathname === list) this.leave();
    else if (!this.isOpen && location.pathname === review) this.ask();
    else return;
    event.preventDefault();
  }

  // Forward: the review of what is selected now.
  ask() {
    const address = location.pathname + location.search;
    htmx.ajax("GET", address, { source: this.place, target: this.place, swap: "innerHTML" })?.catch(() => {});
  }

  clicked(event) {
    if (event.target === this.dialog && this.pressed === this.dialog) this.dialog.close();
    // The second click of a double click on the button that opened the review falls on what has opened there.
    else if (event.detail > 1 && event.target.closest("[type=submit]")) event.preventDefault();
  }

  typed(event) {
    if (event.key === "r") this.goToButton(event);
    if (event.key !== "Enter") return;
    const button = event.target.closest("[type=submit]") ?? this.place.querySelector("[type=submit]");
    // A key that is held down since before the review was read must not send it.
    if (event.repeat) event.preventDefault();
    else if ((event.ctrlKey || event.metaKey) && button) {
      event.preventDefault();
      button.click();
    }
  }

  // The key that opened the review, once more. What the button does takes a key of its own.
  goToButton(event) {
    const { target, repeat, ctrlKey, metaKey, altKey } = event;
    const isOff = document.getElementById("keys-menu")?.dataset.keys !== "on";
    if (repeat || ctrlKey || metaKey || altKey || isOff || target.matches("input")) return;
    this.place.querySelector("#create-all, #create-link")?.focus();
  }
}
customElements.define("review-sheet", ReviewSheet);
