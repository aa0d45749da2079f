// Shows a password while somebody wants to read what they type. It is sent as a password again, so that no browser keeps it as text.
customElements.define("shown-password", class extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.button = this.querySelector("button");
    this.words = this.button.textContent;
    this.button.addEventListener("click", () => {
      this.show(this.input.type === "password");
      this.input.focus();
    });
    this.input.form.addEventListener("submit", () => this.show(false));
  }

  show(isShown) {
    this.input.type = isShown ? "text" : "password";
    this.button.textContent = isShown ? this.button.dataset.hide : this.words;
  }
});
