// The channels that send a message. Using one is recorded. They hide once the link can no longer be paid, and when its last
// check is too old. A timer hides them, because the network that would report it may be down.
const GOES_ON = 4000;
// The way to send that waits for the message for whom was typed.
let goesOn = {};
const GOES_BY = /((?:[?&]text|[?&]body)=)[^&]*$/;
// What a person has written for this link, by its language, and last of all. In that language it stays, whoever is chosen; in
// another one, and in place of the standard text, it can be brought back.
let own = {};
let isRenewed = false;
const typed = () => document.getElementById("share-to")?.value.trim().replace(/\s+/g, " ");

document.addEventListener("htmx:beforeSwap", ({ target, detail }) => {
  const options = target.id === "share-now" && target.querySelector("share-options");
  if (!options?.message) return;
  const { record, language, name } = options.dataset;
  if (own.record !== record) own = { record, texts: {} };
  isRenewed = true;
  delete own.texts[language];
  // What is added goes with the text as it stands.
  if (!options.isChanged() || detail.requestConfig?.elt?.matches("[data-adds]")) return;
  own.last = { text: options.message.value, language, name };
  if (!detail.requestConfig?.elt?.matches("[data-standard]")) own.texts[language] = own.last;
});
document.addEventListener("htmx:afterSettle", () => {
  const options = document.querySelector("share-options");
  if (isRenewed && options?.message && options.dataset.record === own.record) {
    const mine = own.texts[options.dataset.language];
    if (mine) options.write(mine);
    else options.querySelector("[data-own]").hidden = !own.last;
  }
  isRenewed = false;
  if (!goesOn.channel || options?.dataset.typed !== typed()) return;
  const { channel, at } = goesOn;
  goesOn = {};
  if (Date.now() - at < GOES_ON && !("problem" in options.dataset)) options.querySelector(`[data-channel="${channel}"]`)?.click();
});
// Enter writes the message; leaving the field later changes nothing any more.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.id !== "share-to") return;
  event.preventDefault();
  event.target.blur();
  event.target.focus();
});

// Whoever is typed now may be reached: that is found out before anything is sent.
document.addEventListener("input", ({ target }) => {
  if (target.id !== "share-to") return;
  document.querySelectorAll("share-options [aria-disabled]").forEach((way) => way.removeAttribute("aria-disabled"));
});

customElements.define("share-options", class extends HTMLElement {
  connectedCallback() {
    this.leaving = new AbortController();
    const { signal } = this.leaving;
    this.addEventListener("click", (event) => this.use(event), { signal });
    // The field keeps the focus until the click: leaving it would take the button from under the pointer.
    this.addEventListener("mousedown", (event) => {
      if (event.target.closest("[data-channel]")) event.preventDefault();
    }, { signal });
    this.message = this.querySelector("textarea");
    this.message?.addEventListener("input", () => this.changed(), { signal });
    this.querySelector("[data-own]")?.addEventListener("click", () => {
      this.write(own.last);
      this.message.focus();
    }, { signal });
    if (navigator.share) this.querySelector("[data-sheet]")?.removeAttribute("hidden");
    document.addEventListener("region-updated", () => this.follow(), { signal });
    document.addEventListener("checked", ({ target, detail }) => {
      if (target.id === this.dataset.follows) this.checked((Date.parse(detail.now) - Date.parse(detail.at)) / 1000);
    }, { signal });
    this.timer = setInterval(() => this.follow(), 1000);
    this.checked(this.dataset.age);
  }

  disconnectedCallback() {
    this.leaving.abort();
    clearInterval(this.timer);
  }

  // The message is sent as it stands, and never without the payment URL: domain/messages.py says when it can be opened.
  isChanged() {
    return this.message && (this.message.value !== this.message.defaultValue || !this.querySelector("[data-standard]").hidden);
  }

  // Whoever is greeted by name in it may be another now.
  write({ text, language, name }) {
    this.message.value = name ? text.replace(` ${name}`, () => this.dataset.name && ` ${this.dataset.name}`) : text;
    this.message.lang = language;
    this.changed();
  }

  changed() {
    this.querySelector("[data-standard]").hidden = false;
    this.querySelector("[data-own]").hidden = true;
    this.querySelectorAll("[data-missed]").forEach((each) => each.remove());
    this.offer();
    if (this.hasAddress()) this.refuse("");
  }

  // What one tap adds is offered as long as the message does not say it.
  offer() {
    const button = this.querySelector("[data-adds]");
    if (!button) return;
    const text = this.message.value.replaceAll(this.dataset.url, "");
    const lacks = JSON.parse(button.dataset.adds).filter(([told]) => !told.some((each) => text.includes(each)));
    button.hidden = !lacks.length;
    if (lacks.length) button.textContent = lacks.length > 1 ? button.dataset.both : lacks[0][1];
  }

  hasAddress() {
    const { message, dataset: { url } } = this;
    const address = url?.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return !message || new RegExp(`(?<![A-Za-z0-9])${address}(?![A-Za-z0-9_/?=&#%~+@-])`).test(message.value);
  }

  refuse(why) {
    document.getElementById("share-message-error").textContent = why;
    if (why) {
      this.message.setAttribute("aria-invalid", "true");
      this.message.focus();
    } else this.message.removeAttribute("aria-invalid");
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
    // The message for whom was typed comes first, and is sent as soon as it is here.
    const field = document.getElementById("share-to");
    const isOther = field && typed() !== this.dataset.typed;
    if (isOther || this.closest(".htmx-request")) {
      event.preventDefault();
      goesOn = { channel, at: Date.now() };
      if (isOther) field.blur();
      if (!this.closest(".htmx-request")) field.dispatchEvent(new Event("change", { bubbles: true }));
      return;
    }
    // Nobody is reached by it: the field says why.
    const way = event.target.closest("a[href]");
    if ("problem" in this.dataset && way?.target) {
      event.preventDefault();
      field.focus();
      return;
    }
    if (channel !== "qr" && !this.hasAddress()) {
      event.preventDefault();
      this.refuse(this.dataset.noUrl);
      return;
    }
    const text = this.message?.value ?? this.querySelector("#share-message")?.textContent ?? "";
    if (this.isChanged() && way) way.href = way.href.replace(GOES_BY, (_all, name) => name + encodeURIComponent(text));
    try {
      if (channel === "copy") await navigator.clipboard.writeText(text);
      if (channel === "sheet") await navigator.share({ text });
    } catch (problem) {
      if (problem.name !== "AbortError") this.say(_("That did not work here. Select the message and copy it by hand."));
      return;
    }
    this.record(channel);
  }

  say(words, className = "") {
    const said = Object.assign(document.createElement("p"), { className, textContent: words });
    document.getElementById("share-sent")?.replaceChildren(said);
    document.dispatchEvent(new CustomEvent("announce", { detail: words }));
  }

  // keepalive: the record is sent even while the page unloads. Without a network the record is lost, never the message.
  async record(channel) {
    const { record, driver, language, to } = this.dataset;
    if (!record && channel === "copy") this.say(_("Message copied"), "follow-sent");
    if (!record) return;
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    const headers = { "X-CSRFToken": token, "HX-Request": "true", "HX-Target": "share-sent" };
    try {
      const answer = await fetch(record, { method: "POST", body: new URLSearchParams({ channel, language, ...(driver ? { driver } : { to }) }), headers, keepalive: true });
      if (!answer.ok) throw new Error(answer.status);
      const region = await answer.text();
      if (!document.getElementById("share-sent")) return;
      htmx.swap("#share-sent", region, { swapStyle: "outerHTML" });
      document.getElementById("share-sent").scrollIntoView({ block: "nearest" });
      document.dispatchEvent(new CustomEvent("announce", { detail: document.querySelector("#share-sent [data-said]")?.textContent ?? "" }));
    } catch {
      if (this.isConnected) this.say(_("This was not recorded as sent: the dashboard did not answer."));
    }
  }
});
