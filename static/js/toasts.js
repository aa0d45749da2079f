// A message that leaves by itself after ten seconds, but not while it is pointed at or holds the focus. One that reports a
// failure stays until it is closed. Scripts show one with: document.dispatchEvent(new CustomEvent("toast", {detail: {…}})).
const LASTS = 10_000;
const STAYS = ["wrong", "waiting"];
// They have one place, at the foot; from there they rise until they cover no control, and stay so until the last one left.
const RISES = 8;
const CONTROLS = "a, button, input, select, textarea, summary, label";
// Nothing that is hit lies between points so far apart.
const STEP = 16;

function place(toasts) {
  toasts.style.removeProperty("--rise");
  const bar = document.querySelector("main .selection-bar")?.getBoundingClientRect();
  const least = bar?.height ? Math.max(0, toasts.getBoundingClientRect().bottom - bar.top + STEP / 2) : 0;
  const rise = (by) => toasts.style.setProperty("--rise", `${by}px`);
  const free = [...Array(RISES).keys()].some((step) => {
    rise(least + step * STEP);
    return !covers(toasts);
  });
  // Where no place is free, scrolling leads past them.
  if (!free) rise(least);
}

function covers(toasts) {
  const { left, top, right, bottom } = toasts.getBoundingClientRect();
  for (let y = top + 1; y < bottom + STEP; y += STEP) {
    for (let x = left + 1; x < right + STEP; x += STEP) {
      const point = [Math.min(x, right - 1), Math.min(y, bottom - 1)];
      const under = document.elementsFromPoint(...point).find((each) => !toasts.contains(each));
      if (under?.closest(CONTROLS)) return true;
    }
  }
  return false;
}

// What leaves by itself leaves at once: for the newest, or for a sheet that opens in the page, which it may cover.
function makeRoom(toasts, newest) {
  [...toasts.children].forEach((each) => { if (each !== newest && !STAYS.includes(each.dataset.meaning)) each.leave(); });
}

document.addEventListener("toggle", ({ newState, target }) => {
  if (newState !== "open" || !target.matches("drop-down > details")) return;
  const toasts = document.getElementById("toasts");
  makeRoom(toasts);
  place(toasts);
}, true);

class ToastMessage extends HTMLElement {
  connectedCallback() {
    const { parentElement } = this;
    if (parentElement?.id === "toasts") {
      makeRoom(parentElement, this);
      if (parentElement.childElementCount < 2) place(parentElement);
    }
    this.addEventListener("mouseenter", () => this.hold());
    this.addEventListener("focusin", () => this.hold());
    this.addEventListener("mouseleave", () => this.leaveLater());
    this.addEventListener("focusout", () => setTimeout(() => this.leaveLater()));
    this.addEventListener("click", ({ target }) => { if (target.closest("[data-toast-close]")) this.leave(); });
    this.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.leave(); });
    this.addEventListener("htmx:afterRequest", ({ detail }) => { if (detail.successful) this.leave(); });
    this.leaveLater();
  }

  disconnectedCallback() {
    this.hold();
  }

  hold() {
    clearTimeout(this.timer);
  }

  leaveLater() {
    this.hold();
    if (!this.isConnected || STAYS.includes(this.dataset.meaning) || this.matches(":hover, :focus-within")) return;
    this.timer = setTimeout(() => this.leave(), LASTS);
  }

  leave() {
    const focused = this.contains(document.activeElement);
    this.remove();
    if (focused) document.getElementById("main")?.focus({ preventScroll: true });
  }
}
customElements.define("toast-message", ToastMessage);

// What was said ends with its page, but for what can be undone or leads on; what stays makes room for the next page.
document.addEventListener("htmx:beforeSwap", ({ detail: { shouldSwap, target, xhr } }) => {
  if (!shouldSwap || target.id !== "main" || new URL(xhr.responseURL).pathname === location.pathname) return;
  document.querySelectorAll("#toasts > toast-message:not(:has(form, a))").forEach((each) => {
    if (!STAYS.includes(each.dataset.meaning)) each.remove();
  });
});
document.addEventListener("htmx:afterSettle", ({ target }) => { if (target.id === "main") place(document.getElementById("toasts")); });

document.addEventListener("toast", ({ detail: { words, meaning = "good", address, link } }) => {
  const toast = document.getElementById("toast-of-script").content.firstElementChild.cloneNode(true);
  toast.dataset.meaning = meaning;
  toast.classList.replace("notice-good", `notice-${meaning}`);
  const drawn = toast.querySelector("use");
  drawn.setAttribute("href", drawn.getAttribute("href").replace("state-good", `state-${meaning}`));
  toast.querySelector("[data-toast-words]").textContent = words;
  document.getElementById("toasts").append(toast);
  if (address) addLink(toast, address, link);
});

// To a toast on the page: a link goes without loading a document only where it is found below <body>.
function addLink(toast, address, words) {
  const link = Object.assign(document.createElement("a"), { href: address, textContent: words });
  toast.querySelector("[data-toast-words]").append(" ", link);
  htmx.process(toast);
}

// A form whose page was left meanwhile still has an outcome: it is said, with the way to it.
document.addEventListener("late-answer", ({ detail: { xhr, requestConfig } }) => {
  const answer = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const pushed = xhr.getResponseHeader("HX-Push-Url") ?? xhr.getResponseHeader("HX-Replace-Url");
  const address = pushed && pushed !== "false" ? pushed : requestConfig.from;
  const said = [...answer.querySelectorAll("[data-toasts] > toast-message")];
  said.forEach((toast) => {
    document.getElementById("toasts").append(toast);
    if (!toast.querySelector("a")) addLink(toast, address, _("Open it"));
  });
  if (said.length) return;
  const wrong = answer.querySelector(".field-error, .notice-wrong, .notice-waiting");
  const page = titleOf(answer);
  const done = page ? _("Done meanwhile: %(page)s.", { page }) : _("Done meanwhile.");
  const words = wrong && xhr.status >= 400 ? wrong.textContent : done;
  const meaning = xhr.status >= 400 ? "wrong" : "good";
  document.dispatchEvent(new CustomEvent("toast", { detail: { words: words.trim().replace(/\s+/g, " "), meaning, address, link: _("Open it") } }));
});

function titleOf(answer) {
  return answer.title.split(" · ").slice(0, -1).join(" · ") || answer.title;
}
