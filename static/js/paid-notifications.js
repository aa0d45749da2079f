// Tells by the browser's own notices what was paid, for whoever asked for that. Of it all the browser keeps one moment.
const KEPT = "told-until";
const SELDOM = 59_000;
let asked = 0;

function toldUntil() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch { return ""; }
}

class PaidNews extends HTMLElement {
  connectedCallback() {
    this.addEventListener("htmx:beforeRequest", (event) => {
      // A hidden tab asks seldom; htmx's clock goes on at the pace of a visible one.
      if (document.hidden && Date.now() - asked < SELDOM) event.preventDefault();
      else asked = Date.now();
    });
    this.addEventListener("htmx:configRequest", (event) => {
      // Another tab may have told it already.
      const until = [this.dataset.after, toldUntil()].sort((one, other) => (Date.parse(one) || 0) - (Date.parse(other) || 0)).at(-1);
      Object.assign(event.detail.parameters, { after: until, count: this.dataset.count });
    });
    // What it could not ask it asks again; there is nothing to tell of that.
    this.addEventListener("htmx:beforeOnLoad", (event) => { if (event.detail.xhr.status >= 400) event.preventDefault(); });
    const fresh = [...this.querySelectorAll("[data-paid]")];
    fresh.forEach((link) => this.tell(link));
    if (fresh.length) this.remember();
    this.count();
  }

  tell(link) {
    const words = link.textContent.trim();
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    try {
      const notice = new Notification("A payment link is paid", { body: words, tag: link.dataset.paid });
      notice.addEventListener("click", () => {
        notice.close();
        focus();
        location.assign(link.href);
      });
    } catch { /* Some phones know no such notices; the page tells it. */ }
  }

  remember() {
    try {
      localStorage.setItem(KEPT, this.dataset.after);
    } catch { /* Storage is switched off: another tab may tell it once more. */ }
  }

  // The first page tells the number by itself.
  count() {
    if (document.getElementById("home-panel")) return;
    const title = document.title.replace(/^\(\d+ paid\) /, "");
    document.title = Number(this.dataset.count) ? `(${this.dataset.count} paid) ${title}` : title;
  }
}
customElements.define("paid-news", PaidNews);
