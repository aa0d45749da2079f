// Saves the ticks of a list that somebody leaves before the server has confirmed them.
let hasSession = true;

function saveTicks() {
  const form = hasSession && document.querySelector("challan-table form:has(#selection-sum[data-pending])");
  if (!form) return;
  const body = new URLSearchParams(new FormData(form));
  body.set("ticking", "yes");
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
  const headers = { "X-CSRFToken": token, "HX-Request": "true", "HX-Target": "selection-sum" };
  // keepalive: they are sent even while the page unloads.
  fetch(form.getAttribute("action"), { method: "POST", body, headers, keepalive: true }).catch(() => {});
}

// Once the session has ended, the form that is sent last waits for the sign-in, with the ticks in it.
document.addEventListener("htmx:beforeOnLoad", ({ detail }) => { if (detail.xhr.status === 401) hasSession = false; });

// By a link, or by a form that does not carry the ticks itself.
document.addEventListener("htmx:beforeRequest", ({ detail: { boosted, requestConfig } }) => {
  if ((boosted || requestConfig.verb !== "get") && !requestConfig.formData.has("selection")) saveTicks();
});
["pagehide", "popstate"].forEach((name) => addEventListener(name, saveTicks));
