// Adds a ready sentence to a note, which can be changed before it is sent.
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-ready]");
  const note = button && document.getElementById(button.dataset.into);
  if (!note) return;
  note.value = [note.value.trim(), button.dataset.ready].filter(Boolean).join(" ").slice(0, note.maxLength);
  note.focus();
});
