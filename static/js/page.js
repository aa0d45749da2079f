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

// A request that a later one replaces, or that is cut off because somebody leaves, is no error. htmx logs each event whose
// detail names an `error`, and takes that of the request before its own.
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const { xhr } = detail;
  const { onabort } = xhr;
  xhr.onabort = () => {
    detail.error = "";
    onabort();
  };
});

// Where notices are shown: over an open dialog, which hides the page.
function notices() {
  return document.querySelector("dialog[open] .notices") ?? document.getElementById("notices");
}

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // A form that a person sends clears the last notice; a poll does not.
  if (detail.requestConfig.verb !== "get") document.querySelectorAll(".notices").forEach((each) => each.replaceChildren());
  if (detail.target.id === "notices") detail.target = notices();
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.classList.contains("notices")) detail.target.scrollIntoView({ block: "nearest" });
});

// A form that came back with errors or more fields: focus the first field to fill in.
document.addEventListener("htmx:afterSettle", (event) => {
  const form = event.detail.elt;
  if (form.id !== "search-form") return;
  const wrong = form.querySelector("[aria-invalid]") ?? form.querySelector("select");
  // A doubtful number is there to be typed again: Enter must not search it in haste.
  const doubtful = form.querySelector(".search-doubt") && form.querySelector("input[name=rc_number]");
  (wrong ?? doubtful)?.focus();
  doubtful?.select();
  const why = form.querySelector(".field-error, [data-why], .search-why");
  if (why) document.dispatchEvent(new CustomEvent("announce", { detail: why.textContent.trim() }));
});

document.addEventListener("htmx:sendError", (event) => {
  if (event.detail.elt.closest("live-panel, paid-notifications, #selection-sum") || event.detail.elt.dataset?.sentAs) return;
  const note = document.createElement("p");
  note.className = "notice notice-wrong";
  note.textContent = event.detail.elt.dataset.unanswered ?? _("The dashboard did not answer. What you entered is still here; try again.");
  notices()?.replaceChildren(note);
  notices()?.scrollIntoView({ block: "nearest" });
});

// A form that the browser sends by itself, in a page that came without its document, lacks the token of the session.
document.addEventListener("submit", ({ target, defaultPrevented }) => {
  if (defaultPrevented || target.method !== "post" || target.elements.csrf_token) return;
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name: "csrf_token", value: document.querySelector('meta[name="csrf-token"]')?.content ?? "" });
  target.append(field);
});
