// Shows the attempts of a running search.
class SearchWait extends HTMLElement {
  connectedCallback() {
    this.usual = this.textContent;
    this.onSubmit = ({ target, submitter }) => {
      if (target.contains(this) || this.closest("[data-waiting]")?.contains(submitter)) this.begin(target);
    };
    this.onSend = ({ target }) => {
      if (target.tagName === "BUTTON" && this.closest("[data-waiting]")?.contains(target)) this.begin(target);
    };
    this.onEnd = ({ type, target }) => {
      if (type === "pageshow" || target === this.form) this.end();
    };
    document.addEventListener("submit", this.onSubmit);
    document.addEventListener("htmx:beforeRequest", this.onSend);
    document.addEventListener("htmx:afterRequest", this.onEnd);
    addEventListener("pageshow", this.onEnd);
  }

  disconnectedCallback() {
    this.end();
    document.removeEventListener("submit", this.onSubmit);
    document.removeEventListener("htmx:beforeRequest", this.onSend);
    document.removeEventListener("htmx:afterRequest", this.onEnd);
    removeEventListener("pageshow", this.onEnd);
  }

  begin(form) {
    this.end();
    this.form = form;
    // What was said of the number before is not about this one. It may hold the button that was pressed.
    form.querySelectorAll(".field-error, .search-doubt").forEach((said) => { said.hidden = true; });
    const address = new URL(this.dataset.asks, location);
    const typed = form.elements?.rc_number?.value;
    if (typed) address.searchParams.set("rc_number", typed);
    this.timer = setInterval(() => this.poll(address), 1000);
  }

  async poll(address) {
    const answer = await fetch(address).catch(() => null);
    // An expired session redirects to sign-in.
    if (answer?.status === 200 && !answer.redirected && this.timer) this.textContent = await answer.text();
  }

  end() {
    clearInterval(this.timer);
    this.timer = null;
    this.textContent = this.usual;
  }
}
customElements.define("search-wait", SearchWait);
