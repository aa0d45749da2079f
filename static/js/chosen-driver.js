// Names the chosen driver on the button that sends the link.
document.addEventListener("change", ({ target }) => {
  const named = target.matches("select") && target.closest(".share-send")?.querySelector("[data-chosen]");
  if (named) named.textContent = target.selectedOptions[0].dataset.name ?? "";
});

// What is missing or cannot be a phone number stays on the page with the reason, and opens no tab.
document.addEventListener("submit", (event) => {
  const shown = [...event.target.querySelectorAll("[data-phone], [data-required]")].filter((field) => field.getClientRects().length);
  const wrong = shown.filter((field) => {
    const { phone, required = "", wrong: notPhone } = field.dataset;
    const why = field.value.trim() === "" ? required : phone && !new RegExp(phone).test(field.value) ? notPhone : "";
    document.getElementById(`${field.id}-error`).textContent = why;
    if (why) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    return why;
  });
  if (!wrong.length) {
    // What comes of it takes the place of the form, unless a field in it is in use.
    if (event.target.matches(".share-send")) document.activeElement.blur();
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  wrong[0].focus();
}, true);
