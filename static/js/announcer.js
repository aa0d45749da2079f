// One permanent status element says what changed; anybody asks with: document.dispatchEvent(new CustomEvent("announce", {detail: words})).
// An answer of the server asks with {words}, because htmx sends objects only.
// Beneath an open dialog nothing is read out, so a dialog has a status element of its own.
document.addEventListener("announce", (event) => {
  const announcer = document.querySelector("dialog[open] [data-announcer]") ?? document.getElementById("announcer");
  if (!announcer) return;
  announcer.textContent = "";
  setTimeout(() => { announcer.textContent = event.detail.words ?? event.detail; }, 50);
});
