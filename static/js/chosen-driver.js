// Names the chosen driver on the button that sends the link.
document.addEventListener("change", ({ target }) => {
  const named = target.matches("select") && target.closest(".share-send")?.querySelector("[data-chosen]");
  if (named) named.textContent = target.selectedOptions[0].dataset.name ?? "";
});
