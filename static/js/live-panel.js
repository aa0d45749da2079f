// Stands around a polled region. It keeps the region going through hidden tabs, sleep, lost networks and restarts, says
// what changed and shows it once, and never takes focus, selection or scroll from whoever is reading.
const PATIENCE = 10_000; // A look that takes longer counts as missed.
const MOST_MISSED = 1; // One missed look is nothing to tell of; two are.
const NAP = 10_000; // A clock that jumps so far was asleep, or was set.
const WORDS = {
  offline: "Could not check: this device has no network. What you see is the last that was known; checking goes on by itself once the network is back.",
  silent: "Could not check: the dashboard does not answer. What you see is the last it knew; it tries again by itself.",
  error: "Could not check: the dashboard answered with an error. What you see is the last it knew; it tries again by itself.",
  ended: "Your session has ended. What you see is the last that was known.",
  held: "There is something newer. It shows as soon as you let go of what you have selected or focused here.",
};
const panels = new Set();

function wake() {
  panels.forEach((panel) => { if (panel.polls()) panel.ask(); });
}

let ticked = Date.now();
setInterval(() => {
  const now = Date.now();
  if (Math.abs(now - ticked) > NAP) wake();
  ticked = now;
}, 1000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) wake(); });
addEventListener("online", wake);
addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
document.addEventListener("selectionchange", () => panels.forEach((panel) => panel.release()));

class LivePanel extends HTMLElement {
  connectedCallback() {
    panels.add(this);
    this.note = this.querySelector(":scope > [data-could-not]");
    this.missedLooks = 0;
    this.words = this.region()?.dataset.words;
    this.rows = this.listed();
    this.hear("htmx:configRequest", (event) => { event.detail.timeout = PATIENCE; });
    this.hear("htmx:beforeOnLoad", (event) => this.answered(event));
    this.hear("htmx:sendError", () => this.missed(navigator.onLine ? "silent" : "offline"));
    this.hear("htmx:timeout", () => this.missed(navigator.onLine ? "silent" : "offline"));
    this.hear("htmx:beforeSwap", (event) => this.mayShow(event));
    this.hear("htmx:load", () => this.shown());
    this.hear("checked", (event) => this.checked(event.detail ?? {}));
    this.addEventListener("focusout", () => setTimeout(() => this.release()));
  }

  disconnectedCallback() {
    panels.delete(this);
  }

  // What happens to the region itself; anything else in here minds its own business.
  hear(name, act) {
    this.addEventListener(name, (event) => { if (event.target.id === this.dataset.panel) act(event); });
  }

  region() {
    return document.getElementById(this.dataset.panel);
  }

  polls() {
    return this.region()?.getAttribute("hx-trigger")?.startsWith("every");
  }

  ask() {
    const region = this.region();
    if (document.hidden || !region?.hasAttribute("hx-get")) return;
    if (!this.polls()) {
      htmx.trigger(region, "stale");
      return;
    }
    // What was under way before a sleep will never be answered.
    htmx.trigger(region, "htmx:abort");
    htmx.ajax("GET", region.getAttribute("hx-get"), { source: region, target: region, swap: "outerHTML" })?.catch(() => {});
  }

  answered(event) {
    const { xhr } = event.detail;
    if (xhr.status < 400) {
      this.missedLooks = 0;
      if (!this.holding) this.say("");
      return;
    }
    // Where something may have been typed or ticked the page stays; elsewhere the second look leads to signing in.
    if (xhr.status === 401 && this.signedOut && !("stays" in this.dataset)) return;
    event.preventDefault();
    if (xhr.status === 401) this.missed("ended", xhr.getResponseHeader("HX-Redirect"));
    else this.missed([502, 503, 504].includes(xhr.status) ? "silent" : "error");
  }

  missed(why, address) {
    this.missedLooks += 1;
    this.signedOut = why === "ended";
    if (this.missedLooks > MOST_MISSED || this.signedOut) this.say(WORDS[why], address);
  }

  say(words, address) {
    if (!this.note || (words === this.said && words)) return;
    this.said = words;
    this.note.hidden = !words;
    this.note.textContent = words;
    if (!words) return;
    if (address) {
      const link = document.createElement("a");
      link.href = address;
      link.textContent = "Sign in";
      this.note.append(" ", link);
    }
    this.announce(words);
  }

  // Whoever has selected something in the region, or has come to a control in it by keyboard, keeps it.
  held(region) {
    const chosen = getSelection();
    if (chosen?.rangeCount && !chosen.isCollapsed && chosen.getRangeAt(0).intersectsNode(region)) return true;
    return region.contains(document.activeElement) && document.activeElement.matches(":focus-visible");
  }

  mayShow(event) {
    const region = this.region();
    if (!event.detail.shouldSwap) return;
    if (!this.held(region)) {
      this.focused = region.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      return;
    }
    // What it now is can be told, and is heeded at once, though it is shown later.
    event.detail.shouldSwap = false;
    const next = new DOMParser().parseFromString(event.detail.xhr.responseText, "text/html").getElementById(region.id);
    Object.assign(region.dataset, { ...next?.dataset });
    this.holding = true;
    this.say(WORDS.held);
    this.tell();
  }

  release() {
    if (!this.holding || this.held(this.region())) return;
    this.holding = false;
    this.ask();
  }

  shown() {
    const region = this.region();
    if (this.holding) this.say("");
    this.holding = false;
    const changed = this.tell();
    const before = this.rows;
    this.rows = this.listed();
    region.querySelectorAll("[data-key]").forEach((row) => {
      if (!before.has(row.dataset.key)) row.classList.add("arrived");
      else if (before.get(row.dataset.key) !== row.dataset.words) row.classList.add("glow");
    });
    if (changed && !this.rows.size) region.classList.add("glow");
    // A link that was clicked keeps its place for the next key.
    if (this.focused) [...region.querySelectorAll("a")].find((link) => link.getAttribute("href") === this.focused)?.focus({ preventScroll: true });
  }

  listed() {
    const rows = this.region()?.querySelectorAll("[data-key]") ?? [];
    return new Map([...rows].map((row) => [row.dataset.key, row.dataset.words]));
  }

  tell() {
    const { words, title } = this.region().dataset;
    if (title) document.title = title;
    document.dispatchEvent(new CustomEvent("told", { detail: this.dataset.panel }));
    if (words === this.words) return false;
    this.words = words;
    if (words) this.announce(words);
    return true;
  }

  announce(words) {
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
  }

  // Comes with every answer, that nothing changed too: ages, the pace, and whether what follows this region is old.
  checked({ at, now, pace, seen, parts }) {
    if (!Number.isNaN(Date.parse(now))) document.querySelectorAll("time-ago").forEach((age) => { age.dataset.now = now; });
    if (!Number.isNaN(Date.parse(at))) this.ages().forEach((age) => age.set(at));
    this.parts = { ...this.parts, ...parts };
    document.querySelectorAll("[data-part-of]").forEach((part) => {
      const mine = [this.dataset.panel, "any"].includes(part.dataset.partOf);
      const mark = mine ? this.parts[part.dataset.part] : undefined;
      if (mark !== undefined && mark !== part.dataset.shown) htmx.trigger(part, "stale");
    });
    this.renew(pace, seen);
  }

  ages() {
    const name = this.dataset.panel;
    return document.querySelectorAll(`#${name} [data-checked] time-ago, [data-checked-by="${name}"] time-ago`);
  }

  renew(pace, seen) {
    const region = this.region();
    const address = new URL(region?.getAttribute("hx-get") ?? "", location.href);
    if (seen) address.searchParams.set("seen", seen);
    const wanted = { "hx-get": address.pathname + address.search, "hx-trigger": `every ${pace}s` };
    const old = Object.keys(wanted).filter((name) => region?.getAttribute(name) !== wanted[name]);
    if (!pace || !this.polls() || !old.length) return;
    old.forEach((name) => region.setAttribute(name, wanted[name]));
    // Not before the answer that says so has been dealt with.
    setTimeout(() => htmx.process(region));
  }
}
customElements.define("live-panel", LivePanel);
