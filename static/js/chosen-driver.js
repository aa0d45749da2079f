// Whoever is in the list of a field may be typed without the number.
const isListed = ({ list, value }) => [...list?.options ?? []].some((each) => [each.value, each.value.split(",")[0]].some((name) => name.toLowerCase() === value.trim().toLowerCase()));

// What is missing or cannot be a phone number stays on the page with the reason, and opens no tab.
document.addEventListener("submit", (event) => {
  const shown = [...event.target.querySelectorAll("[data-phone], [data-required]")].filter((field) => field.getClientRects().length);
  const wrong = shown.filter((field) => {
    const { phone, required = "", wrong: notPhone } = field.dataset;
    const why = field.value.trim() === "" ? required : phone && !isListed(field) && !new RegExp(phone).test(field.value.split(",").pop()) ? notPhone : "";
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
