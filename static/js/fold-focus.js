// A fold that somebody opens to type in it begins in the field that it names.
document.addEventListener("toggle", ({ target: fold }) => {
  const field = fold.open && fold.dataset?.opensAt;
  // One that a page comes with open has not been asked for.
  if (field && document.activeElement === fold.querySelector("summary")) document.getElementById(field)?.focus();
}, true);

// What was chosen in a fold over a list is done with: the list stands where it was.
document.addEventListener("click", ({ target }) => {
  const above = target.closest?.("[data-closes]")?.closest("details");
  if (!above) return;
  above.open = false;
  above.querySelector("summary").focus();
  above.scrollIntoView({ block: "nearest" });
});
