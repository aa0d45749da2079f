// After a form is sent its button rests, with the same words; sending twice would do no harm, but looks like it might.
class OnceForm extends HTMLElement {
  connectedCallback() {
    // A button may send a form that stands elsewhere, so the whole document is listened to.
    this.onSubmit = (event) => {
      if (event.defaultPrevented || !(this.contains(event.target) || this.contains(event.submitter))) return;
      if (this.sent) {
        event.preventDefault();
        return;
      }
      this.sent = true;
      // The browser collects the fields first; a button that is already disabled would not be among them.
      setTimeout(() => this.rest(true));
    };
    document.addEventListener("submit", this.onSubmit);
    this.back = () => this.rest(false);
    addEventListener("pageshow", this.back);
  }

  disconnectedCallback() {
    document.removeEventListener("submit", this.onSubmit);
    removeEventListener("pageshow", this.back);
  }

  rest(sent) {
    this.sent = sent;
    this.querySelectorAll("button[type=submit]").forEach((button) => { button.disabled = sent; });
    const words = this.querySelector("[data-while-sending]");
    clearTimeout(this.patience);
    if (words && sent) this.patience = setTimeout(() => { words.hidden = false; }, 300);
    else if (words) words.hidden = true;
  }
}
customElements.define("submit-once", OnceForm);
