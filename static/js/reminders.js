// A reminder is recorded in the tab that it opens. Whoever comes back from there finds in its row when it was sent.
const reminded = new Set();

document.addEventListener("submit", ({ target }) => {
  const contact = target.target === "_blank" && target.closest("[data-row]")?.querySelector(".last-contact");
  if (contact) reminded.add(contact.id);
});

function renewContacts() {
  if (document.hidden) return;
  reminded.forEach((id) => htmx.trigger(document.getElementById(id), "stale"));
  reminded.clear();
}
document.addEventListener("visibilitychange", renewContacts);
addEventListener("focus", renewContacts);
