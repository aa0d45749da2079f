// Keeps what is typed into a message and not saved, by language, until it is saved or discarded: whoever reads another
// language or page meanwhile finds it again. A draft goes with the state of the message that it was typed over, so that
// it is not saved over what somebody else saved. Puts placeholders where the cursor is, and marks them behind the text.
const drafts = new Map();

customElements.define("message-draft", class extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    const { body, basis } = form.elements;
    const marks = document.getElementById(`${body.id}-marks`);
    const known = new Set([...form.querySelectorAll("[data-insert]")].map((each) => each.dataset.insert));
    Object.assign(this, { body, basis, marks, known, fresh: basis.value, save: form.querySelector("[type=submit]") });
    body.addEventListener("scroll", () => { marks.scrollTop = body.scrollTop; });
    const { language, saved } = this.dataset;
    if (saved !== undefined) drafts.delete(language);
    const draft = drafts.get(language);
    if (draft && !this.differs()) {
      body.value = draft.body;
      basis.value = draft.basis;
      htmx.ajax("POST", body.getAttribute("hx-post"), { source: body, target: "#message-preview", swap: "outerHTML" });
    }
    this.keep();
    form.addEventListener("input", () => this.keep());
    this.querySelector("button").addEventListener("click", () => this.discard());
  }

  // Ends of a message are not stored.
  differs() {
    return this.body.value.trim() !== this.dataset.stored.trim();
  }

  keep() {
    const { language } = this.dataset;
    if (this.differs()) drafts.set(language, { body: this.body.value, basis: this.basis.value });
    else drafts.delete(language);
    if (drafts.size) addEventListener("beforeunload", warn);
    this.hidden = !drafts.has(language);
    this.save.classList.toggle("button-primary", drafts.has(language));
    this.mark();
    document.querySelectorAll("[data-draft-of]").forEach((each) => { each.textContent = drafts.has(each.dataset.draftOf) ? ` ${each.dataset.words}` : ""; });
  }

  mark() {
    this.marks.replaceChildren(...this.body.value.split(/(\{[^{}\n]+\})/).map((part, at) => {
      if (at % 2 === 0) return part;
      const mark = document.createElement("mark");
      mark.className = this.known.has(part) ? "" : "is-wrong";
      mark.textContent = part;
      return mark;
    }), "\n");
    this.marks.scrollTop = this.body.scrollTop;
  }

  discard() {
    this.basis.value = this.fresh;
    type(this.body, 0, this.body.value.length, this.dataset.stored);
  }
});

function warn(event) {
  if (drafts.size) event.preventDefault();
}

// As a person would.
function type(field, start, end, words) {
  field.focus();
  field.setRangeText(words, start, end, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.("[data-insert]");
  const field = button && document.getElementById(button.dataset.into);
  if (!field) return;
  const { insert, replace } = button.dataset;
  const { value } = field;
  if (replace) {
    type(field, 0, value.length, value.replaceAll(replace, insert));
    return;
  }
  const { selectionStart: start, selectionEnd: end } = field;
  const before = /[^\s(\[{“‘"'/-]$/.test(value.slice(0, start)) ? " " : "";
  const after = /^[\p{L}\p{N}{]/u.test(value.slice(end)) ? " " : "";
  type(field, start, end, before + insert + after);
});
