// Says above the field for registration numbers how many lines it holds, and about how many vehicles: the server reads them.
const PLATE = /\b(?:[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{0,3}[ -]?\d{1,4}|\d{2}[ -]?BH[ -]?\d{4}[ -]?[A-Z]{1,2})/gi;

customElements.define("number-count", class extends HTMLElement {
  connectedCallback() {
    this.field = document.getElementById(this.dataset.of);
    this.field.addEventListener("input", this);
    // After Back the browser restores what was typed without an event.
    addEventListener("pageshow", this);
    this.handleEvent();
  }

  disconnectedCallback() {
    removeEventListener("pageshow", this);
  }

  handleEvent() {
    const { value } = this.field;
    const lines = value.split("\n").filter((line) => line.trim()).length;
    const count = new Set((value.match(PLATE) ?? []).map((plate) => plate.replace(/[ -]/g, "").toUpperCase())).size;
    const { many, one, few } = this.dataset;
    const sentence = lines < 2 ? few : count === 1 ? one : many;
    this.textContent = lines < 2 && count < 2 ? "" : sentence.replace("%(lines)s", lines).replace("%(count)s", count);
  }
});
