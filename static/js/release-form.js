// Stands outside the polled region, so that nothing typed is swapped away, and heeds what the region says of the request.
class LetGo extends HTMLElement {
  connectedCallback() {
    this.over = this.querySelector("[data-over]");
    this.follow = () => this.heed();
    document.addEventListener("htmx:load", this.follow);
  }

  disconnectedCallback() {
    document.removeEventListener("htmx:load", this.follow);
  }

  heed() {
    const region = document.getElementById(this.dataset.follows);
    if (!region) return;
    const closed = region.dataset.mayLetGo !== "true";
    const typed = this.querySelector("textarea")?.value.trim();
    this.hidden = closed && !typed;
    if (!this.over || closed === this.closed) return;
    this.closed = closed;
    this.over.hidden = !closed;
    this.querySelectorAll("button[type=submit]").forEach((button) => { button.disabled = closed; });
  }
}
customElements.define("release-form", LetGo);
