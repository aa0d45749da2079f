// A native <details> that also closes on Escape, on a click elsewhere, and when the focus leaves it: nothing under it is reached.
class PersonMenu extends HTMLElement {
  connectedCallback() {
    const details = this.querySelector("details");
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary").focus();
    });
    this.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) this.away({ target: relatedTarget }); });
    this.away = (event) => { if (!this.contains(event.target)) details.open = false; };
    document.addEventListener("click", this.away);
  }

  disconnectedCallback() {
    document.removeEventListener("click", this.away);
  }
}
customElements.define("person-menu", PersonMenu);
// The same for a button of a page that opens a sheet below itself.
customElements.define("drop-down", class extends PersonMenu {});
