// Ticks all rows that a form takes from elsewhere on the page, and says on its button how many are ticked.
customElements.define("tick-rows", class extends HTMLElement {
  connectedCallback() {
    this.all = this.querySelector("input");
    this.form = this.closest("form");
    this.button = this.form.querySelector("[type=submit]");
    this.words = this.button.textContent;
    document.addEventListener("change", this);
    // After Back the browser restores what was ticked without an event.
    addEventListener("pageshow", this);
    this.handleEvent({ target: null });
  }

  disconnectedCallback() {
    document.removeEventListener("change", this);
    removeEventListener("pageshow", this);
  }

  handleEvent({ target }) {
    const boxes = [...this.form.elements].filter(({ name }) => name === "row");
    if (target === this.all) boxes.forEach((box) => { box.checked = target.checked; });
    const ticked = boxes.filter((box) => box.checked).length;
    this.all.checked = ticked === boxes.length;
    this.all.indeterminate = ticked > 0 && ticked < boxes.length;
    this.button.textContent = ticked ? this.dataset.some.replace("%(count)s", ticked) : this.words;
  }
});
