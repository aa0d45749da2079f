// Shows that a form or a link is under way, one way for all: a second click does nothing; after a moment the button counts
// the seconds, in its own place, and a slow page draws a line at the top. A form says its verb in data-waiting ("Creating"),
// more in [data-while-sending], and what to do when it takes long in [data-while-slow] inside of that.
const QUICK = 300; // Faster answers need no sign.
const SLOW = 5000;
const root = document.documentElement;
const waits = new Map();
const pages = new Map();

function announce(words) {
  document.dispatchEvent(new CustomEvent("announce", { detail: words }));
}

class Wait {
  constructor(form, submitter) {
    const place = submitter?.closest("[data-waiting]") ?? form;
    this.form = form;
    this.button = submitter ?? form.querySelector("button[type=submit], button:not([type])");
    this.verb = place.dataset.waiting ?? form.dataset.waiting;
    this.more = place.querySelector("[data-while-sending]") ?? form.querySelector("[data-while-sending]");
    this.since = Date.now();
    this.quick = setTimeout(() => this.show(), QUICK);
    this.slow = setTimeout(() => this.showSlow(), SLOW);
    form.setAttribute("aria-busy", "true");
  }

  show() {
    this.more?.classList.add("is-shown");
    const verb = this.verb ?? _("Working");
    announce([`${verb}…`, this.more && usual(this.more)].filter(Boolean).join(" "));
    if (!this.button) return;
    this.label = document.createElement("span");
    this.label.className = "button-label";
    this.label.append(...this.button.childNodes);
    this.counts = document.createElement("span");
    this.counts.className = "button-waits";
    this.counts.ariaHidden = "true";
    this.button.append(this.label, this.counts);
    this.button.classList.add("is-waiting");
    this.count();
    this.counting = setInterval(() => this.count(), 1000);
  }

  // The words stay within the button, so that nothing shifts.
  count() {
    const seconds = _("%(count)s s", { count: Math.floor((Date.now() - this.since) / 1000) });
    this.counts.textContent = this.verb ? `${this.verb}… ${seconds}` : seconds;
    if (this.counts.scrollWidth > this.counts.clientWidth) this.counts.textContent = seconds;
  }

  showSlow() {
    const slow = this.more?.querySelector("[data-while-slow]");
    if (!slow) return;
    this.more.classList.add("is-slow");
    announce(slow.textContent.trim());
  }

  end() {
    [this.quick, this.slow].forEach(clearTimeout);
    clearInterval(this.counting);
    this.form.removeAttribute("aria-busy");
    this.more?.classList.remove("is-shown", "is-slow");
    if (!this.label) return;
    this.button.replaceChildren(...this.label.childNodes);
    this.button.classList.remove("is-waiting");
  }
}

function usual(more) {
  return [...more.childNodes].filter((node) => !node.matches?.("[data-while-slow]")).map((node) => node.textContent).join("").trim();
}

function begin(key, form, submitter) {
  waits.get(key)?.end();
  waits.set(key, new Wait(form, submitter));
  form.sending = key;
}

function end(key) {
  const wait = waits.get(key);
  if (!wait) return;
  wait.end();
  wait.form.sending = null;
  waits.delete(key);
}

// Before htmx hears of it: a second click while the first is under way does nothing.
document.addEventListener("submit", (event) => {
  if (!event.target.sending) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);
// Nor does a key that is held down go from page to page, and from the review on to creating what nobody has read.
document.addEventListener("keydown", (event) => {
  if (event.repeat && event.key === "Enter" && !event.target.closest?.("textarea")) event.preventDefault();
}, true);
// A form that the browser sends itself.
document.addEventListener("submit", ({ target, submitter, defaultPrevented }) => {
  if (!defaultPrevented && target.method === "post" && target.target !== "_blank") begin(target, target, submitter);
});

document.addEventListener("htmx:beforeSend", ({ target, detail: { boosted, xhr, requestConfig } }) => {
  if (target.tagName === "FORM") begin(xhr, target, requestConfig.triggeringEvent?.submitter);
  else if (target.matches("button[type=submit]")) begin(xhr, target.form, target);
  if (boosted && requestConfig.verb === "get") pages.set(xhr, setTimeout(() => root.classList.add("is-going"), QUICK));
  // Not by an event of htmx, which an element that was left does not send on.
  xhr.addEventListener("loadend", () => answered(xhr));
});

function answered(xhr) {
  end(xhr);
  clearTimeout(pages.get(xhr));
  pages.delete(xhr);
  if (!pages.size) root.classList.remove("is-going");
}

addEventListener("pageshow", () => [...waits.keys()].forEach(end));
