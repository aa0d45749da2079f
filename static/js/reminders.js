// A reminder is recorded in the tab that it opens. Whoever comes back from there finds in its row when it was sent.
const reminded = new Set();

document.addEventListener("submit", ({ target }) => {
  const row = target.target === "_blank" && target.closest("[data-row]");
  const contact = row && (row.querySelector(".last-contact") ?? row);
  if (contact) reminded.add(contact.id);
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  reminded.forEach((id) => {
    const contact = document.getElementById(id);
    if (contact) htmx.trigger(contact, "stale");
  });
});
