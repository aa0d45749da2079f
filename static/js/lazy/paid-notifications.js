// Notifies of paid links by the browser, for whoever asked for that. One stored moment keeps tabs from repeating it.
const STORED = "notified-until";
const HIDDEN_INTERVAL = 59_000;
let polled = 0;

function notifiedUntil() {
  try {
    return localStorage.getItem(STORED) ?? "";
  } catch { return ""; }
}

class PaidNotifications extends HTMLElement {
  connectedCallback() {
    this.addEventListener("htmx:beforeRequest", (event) => {
      // A hidden tab polls less often than htmx does.
      if (document.hidden && Date.now() - polled < HIDDEN_INTERVAL) event.preventDefault();
      else polled = Date.now();
    });
    this.addEventListener("htmx:configRequest", (event) => {
      // Another tab may have notified of it already.
      const until = [this.dataset.after, notifiedUntil()].sort((one, other) => (Date.parse(one) || 0) - (Date.parse(other) || 0)).at(-1);
      Object.assign(event.detail.parameters, { after: until, count: this.dataset.count });
    });
    // The next poll makes up for a failed one.
    this.addEventListener("htmx:beforeOnLoad", (event) => { if (event.detail.xhr.status >= 400) event.preventDefault(); });
    const fresh = [...this.querySelectorAll("[data-paid]")];
    fresh.forEach((link) => this.notify(link));
    if (fresh.length) this.remember();
    this.count();
  }

  notify(link) {
    const words = link.textContent.trim();
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
    if (!("Notification" in window) || Notification.permission !== "granted") return;
    try {
      const notice = new Notification(_("A payment link is paid"), { body: words, tag: link.dataset.paid });
      notice.addEventListener("click", () => {
        notice.close();
        focus();
        link.click();
      });
    } catch { /* Some phones have no notifications; the page shows it. */ }
  }

  remember() {
    try {
      localStorage.setItem(STORED, this.dataset.after);
    } catch { /* Without storage another tab may repeat it. */ }
  }

  // The first page sets its title itself.
  count() {
    if (document.getElementById("home-panel")) return;
    const title = document.title.replace(/^\(\d+ [^)]+\) /, "");
    const { count } = this.dataset;
    const paid = _("(%(count)s paid)", { count });
    document.title = Number(count) ? `${paid} ${title}` : title;
  }
}
customElements.define("paid-notifications", PaidNotifications);
