// Goes from page to page without loading a document: the last click wins, the work goes on where the eye is, Back and
// Forward return to the place on the page.
history.scrollRestoration = "manual";
let shown = location.pathname;
let going = null;
// What Back asks for, and how often it has put another page into the place of the one before.
let returning = null;
let returns = 0;
let restored = 0;
let restoring = false;
let resting = 0;

// The place on each page is stored with its entry in the history, and nowhere else.
function storePlace() {
  history.replaceState({ ...history.state, scroll: scrollY }, "");
}

function returnTo(place) {
  scrollTo({ top: place, behavior: "instant" });
  storePlace();
}

addEventListener("scroll", () => {
  clearTimeout(resting);
  resting = setTimeout(() => { if (!restoring) storePlace(); }, 100);
}, { passive: true });
addEventListener("pagehide", () => { if (!restoring) storePlace(); });
addEventListener("load", () => { if (history.state?.scroll && !location.hash) returnTo(history.state.scroll); });

// What only some pages need comes once the first page is shown, so that no page that takes its place waits for it.
addEventListener("load", () => {
  document.getElementById("lazy-styles").rel = "stylesheet";
  const scripts = document.querySelector("link#lazy-scripts");
  if (scripts) document.head.append(Object.assign(document.createElement("script"), { src: scripts.href, integrity: scripts.integrity }));
});

// Before htmx handles it, which rewrites the entry that is returned to.
addEventListener("popstate", (event) => {
  const { state } = event;
  going?.abort();
  returning?.abort();
  // A page that shows both entries of the history, such as a list with a review beside it, goes there by itself.
  if (!document.dispatchEvent(new CustomEvent("within-page", { cancelable: true }))) {
    event.stopImmediatePropagation();
    return;
  }
  restored = state?.scroll ?? 0;
  restoring = Boolean(state?.htmx);
});

document.addEventListener("htmx:historyCacheMiss", ({ detail }) => {
  returning = detail.xhr;
  detail.xhr.addEventListener("error", () => { restoring = false; });
});
// A session that has ended, or a page that is gone: the browser asks for it by itself.
document.addEventListener("htmx:historyCacheMissLoadError", () => location.reload());
// For Back htmx takes the content alone; the menu says what its place is.
document.addEventListener("htmx:historyCacheMissLoad", ({ detail }) => {
  returns += 1;
  // The address led to another page.
  const address = detail.xhr.getResponseHeader("HX-Replace-Url");
  if (address) history.replaceState(history.state, "", address);
  const menu = new DOMParser().parseFromString(detail.response, "text/html").getElementById("site-nav");
  if (!menu) return;
  document.getElementById("site-nav")?.replaceWith(menu);
  htmx.process(menu);
});
document.addEventListener("htmx:historyRestore", () => {
  restoring = false;
  arrive();
  returnTo(restored);
});

document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const { elt, boosted, requestConfig, xhr } = detail;
  const page = document.getElementById("main");
  Object.assign(requestConfig, { page, returns, from: location.pathname + location.search });
  // The events of an element that has left the document do not reach it.
  elt.removeEventListener("htmx:beforeOnLoad", dropLateAnswer);
  elt.addEventListener("htmx:beforeOnLoad", dropLateAnswer);
  elt.removeEventListener("htmx:sendError", sayLateFailure);
  elt.addEventListener("htmx:sendError", sayLateFailure);
  if (!boosted || requestConfig.verb !== "get") return;
  going?.abort();
  xhr.addEventListener("loadend", () => { if (going === xhr) going = null; });
  going = Object.assign(xhr, { asked: detail.pathInfo.finalRequestPath });
});
// The same link once more, while its page is on the way.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href]");
  const asked = going && new URL(going.asked, location).href;
  if (asked && link?.href === asked && !event.ctrlKey && !event.metaKey && !event.shiftKey && link.target !== "_blank") {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}, true);

// Back keeps the element of the page, and changes what is in it.
function isLeft({ page, returns: before }) {
  return !page.isConnected || before !== returns;
}

// What a tick or a letter sends, and not a form, nobody waits to hear of.
function saysWhatCameOf(elt, requestConfig) {
  return requestConfig.verb !== "get" && elt.matches("form, button");
}

// What was clicked may be gone with the list in which it stood, and htmx looks from there for the page that its answer replaces.
function bringBack(elt, xhr) {
  elt.hidden = true;
  document.getElementById("main").append(elt);
  xhr.addEventListener("loadend", () => elt.remove());
}

// Whoever has gone elsewhere meanwhile stays there; what came of a form that they sent is said (toasts.js). The link that was
// followed last leads to its page, also where the answer to a form has come in between.
function dropLateAnswer(event) {
  const { elt, requestConfig, xhr } = event.detail;
  if (xhr === going || !isLeft(requestConfig) || xhr.getResponseHeader("HX-Redirect")) {
    if (!elt.isConnected && xhr.getResponseHeader("HX-Retarget")) bringBack(elt, xhr);
    return;
  }
  event.preventDefault();
  if (saysWhatCameOf(elt, requestConfig)) document.dispatchEvent(new CustomEvent("late-answer", { detail: event.detail }));
}

function sayLateFailure({ detail: { elt, requestConfig } }) {
  if (!isLeft(requestConfig) || !saysWhatCameOf(elt, requestConfig)) return;
  const words = _("The dashboard did not answer what you sent. It may have been done: check before you send it again.");
  document.dispatchEvent(new CustomEvent("toast", { detail: { words, meaning: "wrong", address: requestConfig.from, link: _("Open it") } }));
}

document.addEventListener("htmx:beforeHistoryUpdate", ({ detail }) => {
  storePlace();
  // The server is not told which part of the page is asked for.
  if (detail.pathInfo.anchor && !detail.history.path.includes("#")) detail.history.path += `#${detail.pathInfo.anchor}`;
  const next = new URL(detail.history.path, location);
  if (next.href === location.href) detail.history.type = "replace";
});

// Not "autofocus" alone, to which htmx gives the focus in every region.
const WANTED = "[autofocus], [data-focus]";
// A long field takes the focus of its page where that opens no keyboard over half of it.
const WIDE = matchMedia("(width >= 64rem) and (pointer: fine)");
let focusGoes = false;
let focused = "";
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { activeElement } = document;
  // The answer asks for the top of the page, and the link for a part of it.
  if (detail.pathInfo.anchor) detail.swapOverride = detail.swapOverride?.replace(" show:window:top", "");
  focusGoes = detail.shouldSwap && detail.target.contains(activeElement);
  if (!focusGoes || detail.target.id !== "main") return;
  // The browser computes the styles of old and new page together to take the focus from an element that is removed.
  focused = activeElement.id;
  activeElement.blur();
});

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  if (target.id === "main") arrive();
  else if (target.isConnected) arriveAt(target, detail.xhr?.status === 422);
});

// A region in place of another says what it is to say, and finds a place for a focus that went with the other.
function arriveAt(region, isRefused) {
  if (region.dataset?.announce) announce(region.dataset.announce);
  const wrong = isRefused && region.querySelector("[aria-invalid=true]");
  if (wrong) wrong.focus();
  else if (focusGoes && document.activeElement === document.body) focusOnceShown(region.querySelector(WANTED), { preventScroll: true });
  focusGoes = false;
}

// What needs a script is not shown, and takes no focus, before that script has come.
async function focusOnceShown(element, options) {
  const waits = element?.closest(":not(:defined)");
  if (waits) {
    const before = document.activeElement;
    await customElements.whenDefined(waits.localName);
    if (document.activeElement !== before) return;
  }
  element?.focus(options);
}

function announce(words) {
  document.dispatchEvent(new CustomEvent("announce", { detail: words }));
}

// The focus goes where the work goes on: a field that the address names, in its fold as well, one that asks for it, the first
// that is wrong, on the same page to where it was, or to the page itself.
function arrive() {
  const main = document.getElementById("main");
  const elsewhere = location.pathname !== shown;
  const same = !elsewhere && focused ? document.getElementById(focused) : null;
  shown = location.pathname;
  focused = "";
  const named = location.hash ? document.getElementById(location.hash.slice(1)) : null;
  const fold = named?.closest("details");
  if (fold) fold.open = true;
  const wanted = (named?.matches("input, textarea, summary") ? named : null) ?? main.querySelector("[aria-invalid=true]") ?? main.querySelector(WIDE.matches ? `${WANTED}, [data-focus-wide]` : WANTED);
  const nowhere = document.activeElement === document.body;
  // First, because it measures the page as the focus does; what is announced changes it.
  showPlace();
  if (wanted) focusOnceShown(wanted);
  else if (nowhere && same) same.focus({ preventScroll: true });
  else if (nowhere || elsewhere) (named?.matches("[tabindex]") ? named : main).focus({ preventScroll: true });
  named?.scrollIntoView();
  const words = main.querySelector("[data-announce]")?.dataset.announce;
  if (words || elsewhere) announce(words ?? document.title.split(" · ")[0]);
}

// A page that the browser loads by itself has its long field ready as well.
if (WIDE.matches && document.activeElement === document.body && !location.hash) document.querySelector("main [data-focus-wide]")?.focus({ preventScroll: true });

// The header stays, so the places of its own menu are marked here. On a phone the menu is wider than the screen: scroll to the
// current place.
function showPlace() {
  const here = document.querySelector(".site-nav [aria-current]");
  const { place } = document.getElementById("site-nav")?.dataset ?? {};
  document.querySelectorAll(".person-sheet [data-place]").forEach((each) => { each.ariaCurrent = each.dataset.place === place ? "page" : null; });
  if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - here.offsetWidth;
}
showPlace();
