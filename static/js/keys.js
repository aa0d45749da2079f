// Works the page by keys: a control says its key in data-key, the rows of a list are [data-row]. None while somebody types,
// with a modifier, or when the person has switched them off.
const TYPED = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const PAUSE = 1500; // Between the two keys of a pair.
let first = "";
let pressed = 0;

function isOff() {
  return document.getElementById("keys-choice-menu")?.dataset.keys !== "on";
}

function visible(selector) {
  return [...document.querySelectorAll(selector)].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }));
}

function showKeys() {
  htmx.trigger("#keys", "wanted");
}

document.addEventListener("htmx:afterSwap", ({ target }) => { if (target.id === "keys" && !target.open) target.showModal(); });

// The newest of several, such as the undo of several toasts: a row of a list says its moment, and stands before any toast.
function press(key) {
  const since = ({ dataset }) => Date.parse(dataset.at) || Infinity;
  const control = visible(`[data-key="${CSS.escape(key)}"]`).sort((one, other) => since(one) - since(other) || 0).at(-1);
  if (!control) return false;
  control.focus();
  if (control.matches(TYPED)) control.select?.();
  control.click();
  return true;
}

function current() {
  return document.activeElement?.closest("[data-row]");
}

function go(step) {
  const rows = visible("main [data-row]");
  const here = rows.indexOf(current());
  const row = rows[here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step];
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
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing || key.length > 1) return;
  if (target.closest?.(TYPED) || document.querySelector("dialog[open]") || isOff()) return;
  if (event.repeat && !["j", "k"].includes(key)) return;
  const pair = Date.now() - pressed < PAUSE ? `${first} ${key}` : "";
  first = key;
  pressed = Date.now();
  if ((pair && press(pair)) || (MOVES[key] ?? (() => press(key)))()) {
    event.preventDefault();
    first = "";
  }
});

document.addEventListener("click", ({ target }) => { if (target.closest?.("[data-shows-keys]")) showKeys(); });
// A page that comes in place takes the list away.
document.addEventListener("htmx:pushedIntoHistory", () => document.getElementById("keys")?.close());
