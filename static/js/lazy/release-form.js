// Stands outside the polled region, so that no poll swaps away what is typed, and follows the state that the region shows.
class ReleaseForm extends HTMLElement {
  connectedCallback() {
    this.over = this.querySelector("[data-over]");
    this.follow = () => this.update();
    document.addEventListener("htmx:load", this.follow);
  }

  disconnectedCallback() {
    document.removeEventListener("htmx:load", this.follow);
  }

  update() {
    const region = document.getElementById(this.dataset.follows);
    if (!region) return;
    const closed = region.dataset.mayRelease !== "true";
    const typed = this.querySelector("form textarea")?.value.trim();
    this.hidden = closed && !typed;
    if (!this.over || closed === this.closed) return;
    this.closed = closed;
    this.over.hidden = !closed;
    this.querySelectorAll("button[type=submit]").forEach((button) => { button.disabled = closed; });
  }
}
customElements.define("release-form", ReleaseForm);
