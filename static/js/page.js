// What every page adds to htmx: the CSRF header, quiet polls, notices scrolled into view, and nothing left in browser storage.
const TRACES = ["htmx-current-path-for-history", "htmx-history-cache"];

function clearTraces() {
  try {
    TRACES.forEach((key) => sessionStorage.removeItem(key));
  } catch { /* Storage is switched off, so it holds nothing. */ }
}

clearTraces();
["htmx:afterRequest", "htmx:pushedIntoHistory", "htmx:replacedInHistory"].forEach((name) => document.addEventListener(name, clearTraces));
addEventListener("pagehide", clearTraces);

document.addEventListener("htmx:configRequest", (event) => {
  const { elt, parameters, headers, verb } = event.detail;
  if (verb !== "get") headers["X-CSRFToken"] = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  // A field that htmx sends under another name than its form does.
  const name = elt.dataset?.sentAs;
  if (name) {
    delete parameters[elt.name];
    parameters[name] = elt.value;
  }
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const trigger = event.detail.elt.getAttribute?.("hx-trigger") ?? "";
  // Only paid notifications go on in a hidden tab, at a longer interval (paid-notifications.js).
  if (document.hidden && trigger.startsWith("every") && event.detail.elt.id !== "paid-notifications") event.preventDefault();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  // A form that a person sends clears the last notice; a poll does not.
  if (event.detail.requestConfig.verb !== "get") document.getElementById("notices")?.replaceChildren();
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "notices") event.detail.target.scrollIntoView({ block: "nearest" });
});

// A form that came back with errors or more fields: focus the first field to fill in.
document.addEventListener("htmx:afterSettle", (event) => {
  const form = event.detail.elt;
  if (form.id !== "search-form") return;
  const wrong = form.querySelector("[aria-invalid]") ?? form.querySelector("select");
  wrong?.focus();
  const why = form.querySelector(".field-error, .search-why");
  if (why) document.dispatchEvent(new CustomEvent("announce", { detail: why.textContent.trim() }));
});

document.addEventListener("htmx:sendError", (event) => {
  if (event.detail.elt.closest("live-panel, paid-notifications") || event.detail.elt.dataset?.sentAs) return;
  const notices = document.getElementById("notices");
  const note = document.createElement("p");
  note.className = "notice notice-wrong";
  note.textContent = "The dashboard did not answer. What you entered is still here; try again.";
  notices?.replaceChildren(note);
  notices?.scrollIntoView({ block: "nearest" });
});

// "/" focuses the find box, as on other sites.
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input:not([type=checkbox]), select, textarea")) return;
  const field = document.getElementById("find");
  if (!field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// On a phone the navigation is wider than the screen: scroll to the current place.
const here = document.querySelector(".site-nav [aria-current]");
if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - here.offsetWidth;
