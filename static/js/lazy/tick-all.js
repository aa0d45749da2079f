// The checkbox in the head of a table: it ticks the rows that are shown, and tells whether all of them are ticked. Rows that are
// ticked one by one (`data-one-by-one`) it only unticks.
customElements.define("tick-all", class extends HTMLElement {
  connectedCallback() {
    this.all = this.querySelector("input");
    this.table = this.closest("table");
    this.table.addEventListener("change", this);
    this.handleEvent({ target: null });
  }

  disconnectedCallback() {
    this.table.removeEventListener("change", this);
  }

  handleEvent({ target }) {
    const boxes = [...this.table.querySelectorAll("tbody [type=checkbox]")];
    const together = boxes.filter((box) => !("oneByOne" in box.dataset));
    if (target === this.all) (target.checked ? together : boxes).forEach((box) => { box.checked = target.checked; });
    // What the next click does follows from the rows that it ticks; what is seen tells of all.
    this.all.checked = together.every((box) => box.checked);
    this.all.indeterminate = boxes.some((box) => box.checked) && !boxes.every((box) => box.checked);
  }
});
