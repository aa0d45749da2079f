// Fills in the hours from the presets, and says at which moment a link with these hours would end.
class ExpiryField extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.ends = this.querySelector("[data-ends]");
    this.presets = [...this.querySelectorAll("[data-hours]")];
    this.ahead = Date.now() - Date.parse(this.dataset.now);
    this.words = new Intl.DateTimeFormat("en-GB", {
      timeZone: this.dataset.zone, day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
    });
    // Only the Indian form of English knows "IST"; the other forms write an offset.
    this.zone = new Intl.DateTimeFormat("en-IN", { timeZone: this.dataset.zone, timeZoneName: "short" });
    this.presets.forEach((button) => button.addEventListener("click", () => {
      this.input.value = button.dataset.hours;
      this.show();
    }));
    this.input.addEventListener("input", () => this.show());
    this.show();
  }

  show() {
    const typed = this.input.value.trim();
    const hours = /^\d{1,3}$/.test(typed) ? Number(typed) : NaN;
    this.presets.forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.hours) === hours)));
    const sound = hours >= Number(this.input.min) && hours <= Number(this.input.max);
    this.ends.textContent = sound ? this.moment(new Date(Date.now() - this.ahead + hours * 3600_000)) : "–";
  }

  moment(at) {
    const part = Object.fromEntries(this.words.formatToParts(at).map(({ type, value }) => [type, value]));
    const zone = this.zone.formatToParts(at).find(({ type }) => type === "timeZoneName").value;
    // Four letters of September are the British way; the rest of the product writes three.
    return `${part.day} ${part.month.slice(0, 3)} ${part.year}, ${part.hour}:${part.minute} ${zone}`;
  }
}
customElements.define("expiry-field", ExpiryField);
