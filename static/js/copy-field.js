// Copies its field's text. It says "Copied" only when the clipboard has it, and otherwise selects the text for the keyboard.
const UNASKED = { unasked: "yes" };

class CopyField extends HTMLElement {
  connectedCallback() {
    this.source = this.querySelector("[data-copy-source]");
    this.button = this.querySelector("[data-copy-button]");
    this.said = this.querySelector("[data-copy-said]");
    this.button.addEventListener("click", () => this.copy());
    this.source.addEventListener("focus", () => this.source.select());
    this.follow = () => this.update();
    document.addEventListener("region-updated", this.follow);
    this.update();
  }

  disconnectedCallback() {
    document.removeEventListener("region-updated", this.follow);
  }

  async copy() {
    const checkFirst = "checkFirst" in this.dataset;
    if (checkFirst && !(await this.mayBeCopied())) return;
    try {
      await navigator.clipboard.writeText(this.source.value);
      this.say(_("Copied"));
      if (!checkFirst) this.record();
    } catch {
      this.cannotCopy();
    }
  }

  // In a list there is no field to select.
  cannotCopy() {
    if (this.source.type === "hidden") {
      this.say(_("Not copied here. Open the link to copy it."), true);
      return;
    }
    this.source.focus();
    this.source.select();
    this.say(_("Press Ctrl+C to copy"), true);
  }

  // Right after the link was created. A browser may ask for a click first. An earlier link is checked as for a click; why
  // it may not be copied stays beside the button.
  async copyUnasked() {
    if (this.button.disabled) return false;
    const checkFirst = "checkFirst" in this.dataset;
    if (checkFirst && !(await this.mayBeCopied(UNASKED))) return false;
    if (!this.isConnected) return false;
    this.said.textContent = "";
    this.said.classList.remove("copy-said-not");
    try {
      await navigator.clipboard.writeText(this.source.value);
    } catch {
      return false;
    }
    this.said.textContent = _("Copied");
    if (!checkFirst) this.record(UNASKED);
    return true;
  }

  // An earlier link for these challans may have been paid late: the server asks the service before this one is copied.
  async mayBeCopied(fields) {
    this.say(_("Checking the earlier link…"), true);
    let problem = _("The earlier link for these challans could not be checked. Try again.");
    try {
      const answer = await this.post(fields);
      if (answer.ok) return true;
      if (answer.headers.get("Content-Type")?.startsWith("text/plain")) problem = await answer.text();
    } catch {
      // Without a connection nothing can be checked.
    }
    this.say(problem, true);
    return false;
  }

  post(fields = {}) {
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    return fetch(this.dataset.copied, { method: "POST", body: new URLSearchParams(fields), headers: { "X-CSRFToken": token, "HX-Request": "true" }, keepalive: true });
  }

  // The timeline shows who copied it. Copying neither waits for that record nor fails with it. What was copied unasked was
  // given to nobody yet.
  async record(fields) {
    if (!this.dataset.copied) return;
    try {
      await this.post(fields);
      document.querySelectorAll('[data-part="timeline"]').forEach((part) => htmx.trigger(part, "stale"));
    } catch {
      addEventListener("online", () => this.record(fields), { once: true });
    }
  }

  say(words, notDone = false) {
    this.said.textContent = words;
    this.said.classList.toggle("copy-said-not", notDone);
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
  }

  // The live region knows whether the link can still be paid; the page around it is older.
  update() {
    const region = this.dataset.follows && document.getElementById(this.dataset.follows);
    if (!region) return;
    const off = region.dataset.copyable === "false";
    if (off === this.button.disabled) return;
    this.button.disabled = off;
    this.said.classList.toggle("copy-said-not", off);
    this.said.textContent = off ? [_("Copying is off."), region.dataset.off].filter(Boolean).join(" ") : "";
  }
}
customElements.define("copy-field", CopyField);
