// Works the page by keys: a control says its key in data-key, the rows of a list are [data-row]. None while somebody types,
// with a modifier, or when the person has switched them off.
const TYPED = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
// The first key of a pair, which leads to a place, and how long it waits for the second.
const LEAD = "g";
const PAUSE = 1500;
let leads = 0;

// No number of a vehicle has "/", so that it leads to the find box from a field that waits for one.
function isEmptyPlate(field) {
  return field.autocapitalize === "characters" && !field.value;
}

function isOff() {
  return document.getElementById("keys-menu")?.dataset.keys !== "on";
}

function visible(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }));
}

function showKeys() {
  htmx.trigger("#keys", "wanted");
}

// The keys that do something here stand first; those of other pages stay in their fold.
function sortKeys(list) {
  const here = list.querySelector("[data-keys-here]");
  const controls = { j: ROWS, k: ROWS, Enter: "main [data-row] .plate-link", x: "main [data-row] input[type=checkbox]" };
  list.querySelectorAll("[data-key-of-page]").forEach((row) => {
    const key = row.dataset.keyOfPage;
    if (!visible(controls[key] ?? `[data-key="${key}"]`).length) return;
    const place = row.closest("section");
    here.lastElementChild.append(row);
    here.hidden = false;
    place.hidden = !place.querySelector("[data-key-of-page]");
  });
}

document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id !== "keys" || target.open) return;
  sortKeys(target);
  target.showModal();
});

// The newest of several, such as the undo of several toasts: a row of a list says its moment, and stands before any toast.
function press(key) {
  const since = ({ dataset }) => Date.parse(dataset.at) || Infinity;
  const control = visible(`[data-key="${CSS.escape(key)}"]`).sort((one, other) => since(one) - since(other) || 0).at(-1);
  if (!control) return false;
  const waits = control.closest(":not(:defined)")?.localName;
  // What it belongs to has not come yet: then, and in their order.
  if (waits) {
    customElements.whenDefined(waits).then(() => press(key));
    return true;
  }
  // The box of all ticks what is far from it as well, and nobody wants to be taken there.
  if (!control.matches("[type=checkbox]")) control.focus();
  if (control.matches(TYPED)) control.select?.();
  control.click();
  return true;
}

// A place is reached although its link waits in More, which is closed.
function goTo(key) {
  document.querySelector(`#site-nav [data-key="${CSS.escape(`${LEAD} ${key}`)}"]`)?.click();
}

function current() {
  return document.activeElement?.closest("[data-row]");
}

// The rows of lists that have something to go to; a link that a vehicle's page names above its list is none.
const ROWS = "main [data-row]:has(a, button, input):not(.vehicle-links > *)";

// From outside of the list, to the first row in view, or the last.
function go(step) {
  const rows = visible(ROWS);
  const here = rows.indexOf(current());
  const seen = rows.filter((each) => each.getBoundingClientRect().top >= 0 && each.getBoundingClientRect().bottom <= innerHeight);
  const row = here < 0 ? (seen.length ? seen : rows).at(step > 0 ? 0 : -1) : rows[here + step];
  // A row may name its control.
  const control = row?.querySelector(row.dataset.rowControl ?? ".plate-link") ?? row?.querySelector("input[type=checkbox], a[href], button");
  control?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: "nearest" });
  return Boolean(control);
}

function tick() {
  const box = current()?.querySelector("input[type=checkbox]");
  box?.click();
  return Boolean(box);
}

const MOVES = { "?": () => showKeys() ?? true, j: () => go(1), k: () => go(-1), x: tick };

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  // Out of a field that has the focus from the start, so that keys work.
  if (key === "Escape" && target.matches?.(TYPED) && !event.defaultPrevented && !document.querySelector("dialog[open]")) target.blur();
  // Enter starts a new line in a long field.
  if (key === "Enter" && (event.ctrlKey || event.metaKey) && target.matches?.("textarea[data-sends]")) target.form.requestSubmit();
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || key.length > 1) return;
  if ((target.closest?.(TYPED) && !(key === "/" && isEmptyPlate(target))) || document.querySelector("dialog[open]") || isOff()) return;
  if (event.repeat && !["j", "k"].includes(key)) return;
  const follows = Date.now() - leads < PAUSE;
  leads = key === LEAD ? Date.now() : 0;
  if (leads) return;
  // What follows it is no key of its own, wherever it leads.
  if (follows) goTo(key);
  else if (!(MOVES[key] ?? (() => press(key)))()) return;
  event.preventDefault();
});

document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-shows-keys]")) showKeys(); });
// A page that comes in place takes the list away.
document.addEventListener("htmx:pushedIntoHistory", () => document.getElementById("keys")?.close());
