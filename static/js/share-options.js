// The channels that send a message. Using one is recorded. They hide once the link can no longer be paid, and when its last
// check is too old. A timer hides them, because the network that would report it may be down.
customElements.define("share-options", class extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.use(event));
    if (navigator.share) this.querySelector("[data-sheet]")?.removeAttribute("hidden");
    document.addEventListener("region-updated", () => this.follow());
    document.addEventListener("checked", ({ target, detail }) => {
      if (target.id === this.dataset.follows) this.checked((Date.parse(detail.now) - Date.parse(detail.at)) / 1000);
    });
    setInterval(() => this.follow(), 1000);
    this.checked(this.dataset.age);
  }

  checked(age) {
    const until = Date.now() + (this.dataset.lasts - age) * 1000;
    if (!Number.isNaN(until)) this.until = until;
    this.follow();
  }

  follow() {
    const ended = document.getElementById(this.dataset.follows)?.dataset.copyable === "false";
    const lapsed = Date.now() > this.until;
    this.hidden = ended || lapsed;
    const note = document.querySelector("[data-lapsed]");
    if (note) note.hidden = ended || !lapsed;
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
    // keepalive: the record is sent even while the page unloads. Without a network the record is lost, never the message.
    fetch(record, { method: "POST", body: fields, headers, keepalive: true }).catch(() => {});
  }
});
