// The checkbox in the head of a table: it ticks all the rows that are shown, and tells whether all of them are ticked.
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
    if (target === this.all) boxes.forEach((box) => { box.checked = target.checked; });
    const ticked = boxes.filter((box) => box.checked).length;
    this.all.checked = ticked === boxes.length;
    this.all.indeterminate = ticked > 0 && ticked < boxes.length;
  }
});
