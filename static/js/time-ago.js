// Keeps "4 s ago" and "47 h" true between answers, by the server's clock and not the browser's. Its own `data-now` or that of
// an element around it says what time it was there.
const SECOND = 1000;
const DAY = 86_400; // Seconds.
const shownTimes = new Set();
let ticking = 0;

function tick() {
  shownTimes.forEach((element) => element.show());
}

class TimeAgo extends HTMLElement {
  static observedAttributes = ["data-now"];

  connectedCallback() {
    this.ahead = Date.now() - Date.parse(this.closest("[data-now]").dataset.now);
    shownTimes.add(this);
    ticking ||= setInterval(tick, SECOND);
  }

  disconnectedCallback() {
    shownTimes.delete(this);
    if (!shownTimes.size) ticking = clearInterval(ticking) ?? 0;
  }

  attributeChangedCallback() {
    this.ahead = Date.now() - Date.parse(this.dataset.now);
  }

  // The event happened again, so its moment moves.
  set(at) {
    const time = this.querySelector("time");
    time.dateTime = at;
    time.removeAttribute("title");
    this.show();
  }

  show() {
    const time = this.querySelector("time");
    const at = Date.parse(time?.dateTime);
    if (Number.isNaN(at) || Number.isNaN(this.ahead)) return;
    const now = Date.now() - this.ahead;
    const words = "until" in this.dataset ? this.left((at - now) / SECOND) : this.age((now - at) / SECOND);
    if (words && time.textContent !== words && !this.held()) time.textContent = words;
  }

  // Replacing the text would lose a selection that begins or ends in it.
  held() {
    const { anchorNode, focusNode, isCollapsed } = getSelection();
    return !isCollapsed && (this.contains(anchorNode) || this.contains(focusNode));
  }

  age(seconds) {
    if (seconds < 1) return _("just now");
    if (seconds < 60) return _("%(count)s s ago", { count: Math.floor(seconds) });
    if (seconds < 3600) return _("%(count)s min ago", { count: Math.floor(seconds / 60) });
    return this.dataset.moment;
  }

  // As the server writes it.
  left(seconds) {
    const whole = (unit) => ({ count: Math.floor(seconds / unit) });
    const rounded = (unit) => ({ count: Math.floor((Math.floor(seconds) + 1800) / unit) });
    if (seconds + 1800 >= 3 * DAY) return _("%(count)s days", rounded(DAY));
    if (seconds >= 7200) return _("%(count)s h", rounded(3600));
    if (seconds >= 3600) return _("1 h");
    if (seconds >= 60) return _("%(count)s min", whole(60));
    return seconds >= 1 ? _("%(count)s s", whole(1)) : _("a moment");
  }
}
customElements.define("time-ago", TimeAgo);
