// A native <details> that also closes on Escape and on a click elsewhere.
class PersonMenu extends HTMLElement {
  connectedCallback() {
    const details = this.querySelector("details");
    this.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !details.open) return;
      details.open = false;
      details.querySelector("summary").focus();
    });
    this.away = (event) => { if (!this.contains(event.target)) details.open = false; };
    document.addEventListener("click", this.away);
  }

  disconnectedCallback() {
    document.removeEventListener("click", this.away);
  }
}
customElements.define("person-menu", PersonMenu);
// The same for a button of a page that opens a sheet below itself, which is then in sight, its button above all, also once more has
// come into it; no key reaches what is under it while it is open.
customElements.define("drop-down", class extends PersonMenu {
  connectedCallback() {
    super.connectedCallback();
    const details = this.querySelector("details");
    const show = () => {
      if (!details.open) return;
      const [button, sheet] = details.children;
      [sheet, button].forEach((each) => each.scrollIntoView({ block: "nearest" }));
      // Where that opens no keyboard over the sheet.
      if (matchMedia("(width >= 48rem)").matches && !sheet.contains(document.activeElement)) sheet.querySelector("[data-focus-open]")?.focus({ preventScroll: true });
    };
    details.addEventListener("toggle", show);
    this.addEventListener("htmx:load", show);
    this.addEventListener("focusout", ({ relatedTarget }) => { if (relatedTarget) this.away({ target: relatedTarget }); });
  }
});
