// Disables the button of a form that was sent. Sending twice does no harm, but looks as if it might.
class SubmitOnce extends HTMLElement {
  connectedCallback() {
    // A button may submit a form elsewhere on the page, so this listens to the whole document.
    this.onSubmit = (event) => {
      if (event.defaultPrevented || !(this.contains(event.target) || this.contains(event.submitter))) return;
      if (this.sent) {
        event.preventDefault();
        return;
      }
      this.sent = true;
      // Only after the browser has collected the fields: it leaves out a disabled button.
      setTimeout(() => this.disable(true));
    };
    document.addEventListener("submit", this.onSubmit);
    this.back = () => this.disable(false);
    addEventListener("pageshow", this.back);
  }

  disconnectedCallback() {
    document.removeEventListener("submit", this.onSubmit);
    removeEventListener("pageshow", this.back);
  }

  disable(sent) {
    this.sent = sent;
    this.querySelectorAll("button[type=submit]").forEach((button) => { button.disabled = sent; });
    const words = this.querySelector("[data-while-sending]");
    clearTimeout(this.delay);
    if (words && sent) this.delay = setTimeout(() => { words.hidden = false; }, 300);
    else if (words) words.hidden = true;
  }
}
customElements.define("submit-once", SubmitOnce);
