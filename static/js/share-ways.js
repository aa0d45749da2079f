// The ways to send a message on. What is used is remembered; once the link can no longer be paid, all of them go.
customElements.define("share-ways", class extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => this.use(event));
    if (navigator.share) this.querySelector("[data-sheet]")?.removeAttribute("hidden");
    document.addEventListener("told", () => this.follow());
    this.follow();
  }

  follow() {
    const panel = document.getElementById(this.dataset.follows);
    this.hidden = panel?.dataset.copyable === "false";
  }

  async use(event) {
    const channel = event.target.closest("[data-channel]")?.dataset.channel;
    if (!channel) return;
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
