// Stands around a polled region: says aloud when its state changes, shows it once, and stays calm when a look fails.
class LivePanel extends HTMLElement {
  connectedCallback() {
    this.words = this.region()?.dataset.words;
    this.couldNot = this.querySelector(":scope > [data-could-not]");
    this.addEventListener("htmx:load", () => this.changed());
    this.addEventListener("checked", (event) => this.checked(event.detail?.at));
    this.addEventListener("htmx:afterOnLoad", (event) => { if (event.detail.xhr.status < 400) this.couldNot.hidden = true; });
    // A refused look is told to the place of its notice, so it is heard on the document and recognized by who asked.
    this.refused = (event) => {
      const { xhr, requestConfig } = event.detail;
      if (xhr.status < 400 || !this.contains(requestConfig.elt)) return;
      event.detail.shouldSwap = false;
      this.missed("the dashboard answered with an error");
    };
    document.addEventListener("htmx:beforeSwap", this.refused);
    this.addEventListener("htmx:sendError", () => this.missed("no answer from the dashboard"));
    this.addEventListener("htmx:timeout", () => this.missed("no answer from the dashboard"));
  }

  disconnectedCallback() {
    document.removeEventListener("htmx:beforeSwap", this.refused);
  }

  region() {
    return document.getElementById(this.dataset.panel);
  }

  changed() {
    const region = this.region();
    if (!region || region.dataset.words === this.words) return;
    this.words = region.dataset.words;
    region.classList.add("glow");
    if (region.dataset.title) document.title = region.dataset.title;
    document.dispatchEvent(new CustomEvent("announce", { detail: this.words }));
  }

  // Nothing changed, and that is news too: the age starts anew.
  checked(at) {
    this.couldNot.hidden = true;
    const age = this.region()?.querySelector("[data-checked] time-ago");
    if (!at || !age || Number.isNaN(Date.parse(at))) return;
    const time = age.querySelector("time");
    time.dateTime = at;
    time.removeAttribute("title");
    age.show();
  }

  missed(why) {
    this.couldNot.textContent = `Could not check: ${why}. What you see is the last it knew; it tries again by itself.`;
    this.couldNot.hidden = false;
  }
}
customElements.define("live-panel", LivePanel);
