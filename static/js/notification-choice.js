// Asks for the browser's permission on the click alone. The choice is the person's and is stored on the server; the
// permission is this browser's.
class NotificationChoice extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.said = this.querySelector("[data-choice-said]");
    if (!("Notification" in window)) {
      this.hidden = true;
      return;
    }
    if (this.form.wanted.value === "no" && Notification.permission !== "granted") {
      this.form.wanted.value = "yes";
      const words = this.querySelector("[data-choice]");
      if (words) words.textContent = _("Notify me when a link is paid");
      // A switch is off in this browser: what would turn it on is sent.
      this.querySelectorAll("[aria-pressed]").forEach((each) => {
        each.setAttribute("aria-pressed", each.type === "submit");
        each.type = each.type === "submit" ? "button" : "submit";
      });
      this.said.textContent = _("You asked for it, but this browser does not allow it yet.");
    }
    this.form.addEventListener("submit", (event) => {
      if (this.form.wanted.value === "no" || Notification.permission === "granted") return;
      event.preventDefault();
      this.ask();
    });
  }

  async ask() {
    // Later, because a form is not sent again from within its own submit event.
    if ((await Notification.requestPermission()) === "granted") setTimeout(() => this.form.requestSubmit());
    else this.said.textContent = _("The browser does not allow it. You can allow notifications in its settings for this site.");
  }
}
customElements.define("notification-choice", NotificationChoice);
