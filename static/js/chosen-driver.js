// Names the chosen driver on the button that sends the link.
document.addEventListener("change", ({ target }) => {
  const named = target.matches("select") && target.closest(".share-send")?.querySelector("[data-chosen]");
  if (named) named.textContent = target.selectedOptions[0].dataset.name ?? "";
});

// What cannot be a phone number stays on the page with the reason, and opens no tab.
document.addEventListener("submit", (event) => {
  const field = event.target.querySelector("[data-phone]");
  if (!field?.getClientRects().length) return;
  const isWrong = field.value.trim() !== "" && !new RegExp(field.dataset.phone).test(field.value);
  document.getElementById(`${field.id}-error`).textContent = isWrong ? field.dataset.wrong : "";
  if (isWrong) field.setAttribute("aria-invalid", "true");
  else field.removeAttribute("aria-invalid");
  if (!isWrong) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  field.focus();
}, true);
