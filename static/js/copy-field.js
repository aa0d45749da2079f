// Copies its field's text. It says "Copied" only when the clipboard has it, and otherwise selects the text for the keyboard.
class CopyField extends HTMLElement {
  connectedCallback() {
    this.source = this.querySelector("[data-copy-source]");
    this.button = this.querySelector("[data-copy-button]");
    this.said = this.querySelector("[data-copy-said]");
    this.button.addEventListener("click", () => this.copy());
    this.source.addEventListener("focus", () => this.source.select());
    this.follow = () => this.heed();
    document.addEventListener("htmx:load", this.follow);
    this.heed();
  }

  disconnectedCallback() {
    document.removeEventListener("htmx:load", this.follow);
  }

  async copy() {
    try {
      await navigator.clipboard.writeText(this.source.value);
      this.say("Copied");
    } catch {
      this.source.focus();
      this.source.select();
      this.say("Press Ctrl+C to copy", true);
    }
  }

  say(words, notDone = false) {
    this.said.textContent = words;
    this.said.classList.toggle("copy-said-not", notDone);
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
  }

  // The live region knows whether the link can still be paid; the page around it is older.
  heed() {
    const region = this.dataset.follows && document.getElementById(this.dataset.follows);
    if (!region) return;
    const gone = region.dataset.copyable === "false";
    if (gone === this.button.disabled) return;
    this.button.disabled = gone;
    this.said.classList.toggle("copy-said-not", gone);
    this.said.textContent = gone ? `Copying is off: the link is ${region.dataset.status} now.` : "";
  }
}
customElements.define("copy-field", CopyField);
