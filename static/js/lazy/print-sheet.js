// Prints the page: by its button, or at once where a link asked for it. Its address then asks no more, so Back and reload do not print.
customElements.define("print-sheet", class extends HTMLElement {
  connectedCallback() {
    this.onclick = () => print();
    if (this.dataset.now === undefined) return;
    delete this.dataset.now;
    requestAnimationFrame(() => {
      history.replaceState(history.state, "", location.pathname);
      print();
    });
  }
});
