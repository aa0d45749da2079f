// Loads a script that few pages need, for a page that htmx brings: it takes the page's own script element out.
customElements.define("lazy-script", class extends HTMLElement {
  connectedCallback() {
    import(this.dataset.src);
  }
});
