// The ways to send a message on. What is used is remembered. All of them go once the link can no longer be paid, and
// while nobody has looked at it lately: by themselves, as the network that would tell may be what is away.
customElements.define("share-options", class extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.use(event));
    if (navigator.share) this.querySelector("[data-sheet]")?.removeAttribute("hidden");
    document.addEventListener("told", () => this.follow());
    document.addEventListener("checked", ({ target, detail }) => {
      if (target.id === this.dataset.follows) this.looked((Date.parse(detail.now) - Date.parse(detail.at)) / 1000);
    });
    setInterval(() => this.follow(), 1000);
    this.looked(this.dataset.age);
  }

  looked(age) {
    const until = Date.now() + (this.dataset.lasts - age) * 1000;
    if (!Number.isNaN(until)) this.until = until;
    this.follow();
  }

  follow() {
    const dead = document.getElementById(this.dataset.follows)?.dataset.copyable === "false";
    const lapsed = Date.now() > this.until;
    this.hidden = dead || lapsed;
    const note = document.querySelector("[data-lapsed]");
    if (note) note.hidden = dead || !lapsed;
  }

  async use(event) {
    const channel = event.target.closest("[data-channel]")?.dataset.channel;
    if (!channel) return;
    this.follow();
    if (this.hidden) {
      event.preventDefault();
      return;
    }
    const text = this.querySelector("#share-message")?.textContent ?? "";
    try {
      if (channel === "copy") {
        await navigator.clipboard.writeText(text);
        this.say("Copied.");
      }
      if (channel === "sheet") await navigator.share({ text });
    } catch (problem) {
      if (problem.name !== "AbortError") this.say("That did not work here. Select the message and copy it by hand.");
      return;
    }
    this.record(channel);
  }

  say(words) {
    const said = this.querySelector("[data-said]");
    if (said) said.textContent = words;
  }

  record(channel) {
    const { record, driver, language } = this.dataset;
    if (!record) return;
    const fields = new URLSearchParams({ channel, driver, language });
    const headers = { "X-CSRFToken": document.querySelector('meta[name="csrf-token"]')?.content ?? "" };
    // Sent on even when the page is being left; a network that is away loses the note, never the message.
    fetch(record, { method: "POST", body: fields, headers, keepalive: true }).catch(() => {});
  }
});
