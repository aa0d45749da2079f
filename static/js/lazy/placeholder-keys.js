// Puts a placeholder of a message where the cursor is, as if it had been typed.
document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-insert]");
  const field = button && document.getElementById(button.dataset.into);
  if (!field) return;
  field.focus();
  field.setRangeText(button.dataset.insert, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
