// The arrow keys lead from column to column of a chart, whose values are read there; Tab leaves it.
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

document.addEventListener("keydown", (event) => {
  const columns = event.target.closest?.(".chart-columns-read");
  if (!columns || !STEPS[event.key]) return;
  const places = [...columns.querySelectorAll("[tabindex]")];
  places[places.indexOf(event.target) + STEPS[event.key]]?.focus();
  event.preventDefault();
});
