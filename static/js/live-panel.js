// Wraps a polled region. It keeps polling through hidden tabs, sleep, lost networks and restarts, announces a change and
// highlights it once, and never takes focus, selection or scroll from the reader.
const TIMEOUT = 10_000; // A poll that takes longer counts as failed.
const FAILURES_IGNORED = 1; // One failed poll is not worth a message; two are.
const CLOCK_JUMP = 10_000; // A clock that jumps this far was asleep, or was set.
const WORDS = {
  offline: _("Could not check: this device has no network. What you see is the last that was known; checking goes on by itself once the network is back."),
  silent: _("Could not check: the dashboard does not answer. What you see is the last it knew; it tries again by itself."),
  error: _("Could not check: the dashboard answered with an error. What you see is the last it knew; it tries again by itself."),
  ended: _("Your session has ended. What you see is the last that was known."),
  held: _("There is an update. It shows as soon as you leave the text or the button that you selected here."),
};
const panels = new Set();

function wake() {
  panels.forEach((panel) => { if (panel.polls()) panel.poll(); });
}

let ticked = Date.now();
setInterval(() => {
  const now = Date.now();
  if (Math.abs(now - ticked) > CLOCK_JUMP) wake();
  ticked = now;
}, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
addEventListener("online", wake);
addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
// Another tab has recorded that a message was opened; see reminders.js.
new BroadcastChannel("shared").addEventListener("message", wake);
document.addEventListener("selectionchange", () => panels.forEach((panel) => panel.release()));

class LivePanel extends HTMLElement {
  connectedCallback() {
    panels.add(this);
    this.message = this.querySelector(":scope > [data-could-not]");
    this.failures = 0;
    this.words = this.region()?.dataset.words;
    this.rows = this.listed();
    this.on("htmx:configRequest", (event) => { event.detail.timeout = TIMEOUT; });
    this.on("htmx:beforeOnLoad", (event) => this.answered(event));
    this.on("htmx:sendError", () => this.failed(navigator.onLine ? "silent" : "offline"));
    this.on("htmx:timeout", () => this.failed(navigator.onLine ? "silent" : "offline"));
    this.on("htmx:beforeSwap", (event) => this.beforeSwap(event));
    this.on("htmx:load", () => this.swapped());
    this.on("checked", (event) => this.checked(event.detail ?? {}));
    // A button beside the region checks at once.
    this.addEventListener("checked", ({ target, detail }) => {
      if (target.getAttribute("hx-target") === `#${this.dataset.panel}`) this.checked(detail);
    });
    this.addEventListener("focusout", () => setTimeout(() => this.release()));
    this.addEventListener("toggle", () => this.release(), true);
  }

  disconnectedCallback() {
    panels.delete(this);
  }

  // Only events of the region itself, not those of other elements in here.
  on(name, act) {
    this.addEventListener(name, (event) => { if (event.target.id === this.dataset.panel) act(event); });
  }

  region() {
    return document.getElementById(this.dataset.panel);
  }

  polls() {
    return this.region()?.getAttribute("hx-trigger")?.startsWith("every");
  }

  poll() {
    const region = this.region();
    if (document.hidden || !region?.hasAttribute("hx-get")) return;
    if (!this.polls()) {
      htmx.trigger(region, "stale");
      return;
    }
    // A request from before a sleep is never answered.
    htmx.trigger(region, "htmx:abort");
    htmx.ajax("GET", region.getAttribute("hx-get"), { source: region, target: region, swap: "outerHTML" })?.catch(() => {});
  }

  answered(event) {
    const { xhr } = event.detail;
    if (xhr.status < 400) {
      this.failures = 0;
      if (!this.holding) this.say("");
      return;
    }
    // The page stays where somebody may have typed or ticked something; elsewhere the second poll leads to sign-in.
    if (xhr.status === 401 && this.signedOut && !("stays" in this.dataset)) return;
    event.preventDefault();
    if (xhr.status === 401) this.failed("ended", xhr.getResponseHeader("HX-Redirect"));
    else this.failed([502, 503, 504].includes(xhr.status) ? "silent" : "error");
  }

  failed(why, address) {
    this.failures += 1;
    this.signedOut = why === "ended";
    if (this.failures > FAILURES_IGNORED || this.signedOut) this.say(WORDS[why], address);
  }

  say(words, address) {
    if (!this.message || (words === this.said && words)) return;
    this.said = words;
    this.message.hidden = !words;
    this.message.textContent = words;
    if (!words) return;
    if (address) {
      const link = document.createElement("a");
      link.href = address;
      link.textContent = _("Sign in");
      this.message.append(" ", link);
    }
    this.announce(words);
  }

  // A selection in the region, a menu that is open, and a control in it that has keyboard focus, must survive.
  held(region) {
    if (region.querySelector("drop-down > [open]:not(:has([data-sent]))")) return true;
    const chosen = getSelection();
    if (chosen?.rangeCount && !chosen.isCollapsed && chosen.getRangeAt(0).intersectsNode(region)) return true;
    return region.contains(document.activeElement) && document.activeElement.matches(":focus-visible:not([data-sent], [data-placed])");
  }

  beforeSwap(event) {
    const region = this.region();
    // Not what somebody asks for from within: a link's answer goes elsewhere, or is wanted here.
    if (!event.detail.shouldSwap || event.detail.requestConfig.elt !== region) return;
    if (!this.held(region)) {
      const focused = region.contains(document.activeElement) ? document.activeElement : null;
      // Of a button that sent its row, the link of the row.
      this.placed = focused?.matches("[data-placed]");
      this.focused = (focused?.matches("[data-sent]") ? focused.closest("[data-row]").querySelector("a") : focused)?.getAttribute("href");
      return;
    }
    // The new state is announced and used at once, though it is shown later.
    event.detail.shouldSwap = false;
    const next = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html").getElementById(region.id);
    Object.assign(region.dataset, { ...next?.dataset });
    this.holding = true;
    this.say(WORDS.held);
    this.announceChange();
  }

  release() {
    if (!this.holding || this.held(this.region())) return;
    this.holding = false;
    this.poll();
  }

  swapped() {
    const region = this.region();
    if (this.holding) this.say("");
    this.holding = false;
    const changed = this.announceChange();
    const before = this.rows;
    this.rows = this.listed();
    region.querySelectorAll("[data-row]").forEach((row) => {
      if (!before.has(row.dataset.row)) row.classList.add("arrived");
      else if (before.get(row.dataset.row) !== row.dataset.words) row.classList.add("glow");
    });
    if (changed && !this.rows.size) region.classList.add("glow");
    // A clicked link keeps keyboard focus.
    if (this.focused) [...region.querySelectorAll("a")].find((link) => link.getAttribute("href") === this.focused)?.focus({ preventScroll: true });
    if (this.placed && document.activeElement === document.body) region.querySelector(".button-primary")?.focus({ preventScroll: true });
    this.placed = false;
    // A button that has no use any more took focus with it.
    if (this.contains(document.activeElement) && !document.activeElement.checkVisibility()) {
      region.tabIndex = -1;
      region.focus({ preventScroll: true });
    }
  }

  listed() {
    const rows = this.region()?.querySelectorAll("[data-row]") ?? [];
    return new Map([...rows].map((row) => [row.dataset.row, row.dataset.words]));
  }

  announceChange() {
    const { words, title } = this.region().dataset;
    if (title) document.title = title;
    document.dispatchEvent(new CustomEvent("region-updated", { detail: this.dataset.panel }));
    if (words === this.words) return false;
    this.words = words;
    if (words) this.announce(words);
    return true;
  }

  announce(words) {
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
  }

  // Comes with every answer, unchanged ones too: ages, the polling interval, and fingerprints of dependent parts.
  checked({ at, now, poll_seconds: pollSeconds, seen, parts }) {
    if (!Number.isNaN(Date.parse(now))) document.querySelectorAll("time-ago").forEach((age) => { age.dataset.now = now; });
    if (!Number.isNaN(Date.parse(at))) this.ages().forEach((age) => age.set(at));
    this.parts = { ...this.parts, ...parts };
    document.querySelectorAll("[data-part-of]").forEach((part) => {
      const mine = [this.dataset.panel, "any"].includes(part.dataset.partOf);
      const fingerprint = mine ? this.parts[part.dataset.part] : undefined;
      if (fingerprint !== undefined && fingerprint !== part.dataset.shown) htmx.trigger(part, "stale");
    });
    this.renew(pollSeconds, seen);
  }

  ages() {
    const name = this.dataset.panel;
    return document.querySelectorAll(`#${name} [data-checked] time-ago, [data-checked-by="${name}"] time-ago`);
  }

  renew(pollSeconds, seen) {
    const region = this.region();
    const address = new URL(region?.getAttribute("hx-get") ?? "", location.href);
    if (seen) address.searchParams.set("seen", seen);
    const wanted = { "hx-get": address.pathname + address.search, "hx-trigger": `every ${pollSeconds}s` };
    const old = Object.keys(wanted).filter((name) => region?.getAttribute(name) !== wanted[name]);
    if (!pollSeconds || !this.polls() || !old.length) return;
    old.forEach((name) => region.setAttribute(name, wanted[name]));
    // After htmx has handled the answer that asks for it.
    setTimeout(() => htmx.process(region));
  }
}
customElements.define("live-panel", LivePanel);
