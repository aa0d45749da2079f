// A fold that somebody opens to type in it begins in the field that it names.
document.addEventListener("toggle", ({ target: fold }) => {
  const field = fold.open && fold.dataset?.opensAt;
  // One that a page comes with open has not been asked for.
  if (field && document.activeElement === fold.querySelector("summary")) document.getElementById(field)?.focus();
}, true);
