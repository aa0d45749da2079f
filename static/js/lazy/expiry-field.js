// Fills in the hours from the presets, and says at which moment a link with these hours would end, or why it cannot have
// them. What the server said of the hours that were sent stays until they are sound.
const IS_ENGLISH = document.documentElement.lang === "en";

class ExpiryField extends HTMLElement {
  connectedCallback() {
    this.input = this.querySelector("input");
    this.ends = this.querySelector("[data-ends]");
    this.valid = this.querySelector("[data-valid]");
    this.invalid = this.querySelector("[data-invalid]");
    this.refused = this.querySelector(`#${this.input.id}-error`);
    this.presets = [...this.querySelectorAll("[data-hours]")];
    this.ahead = Date.now() - Date.parse(this.dataset.now);
    this.words = new Intl.DateTimeFormat(IS_ENGLISH ? "en-GB" : `${document.documentElement.lang}-IN`, {
      timeZone: this.dataset.zone, day: "numeric", month: "short", year: "numeric", hour: "numeric", minute: "2-digit", hourCycle: "h12",
    });
    this.presets.forEach((button) => button.addEventListener("click", () => {
      this.input.value = button.dataset.hours;
      this.show();
    }));
    this.input.addEventListener("input", () => this.show());
    this.input.addEventListener("blur", () => this.show());
    this.show();
  }

  show() {
    const typed = this.input.value.trim();
    const hours = /^\d{1,3}$/.test(typed) ? Number(typed) : NaN;
    this.presets.forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.hours) === hours)));
    const sound = hours >= Number(this.input.min) && hours <= Number(this.input.max);
    this.valid.hidden = !sound;
    if (sound) this.ends.textContent = this.moment(Date.now() - this.ahead, hours);
    this.explain(sound, typed);
  }

  explain(sound, typed) {
    if (!this.invalid) return;
    // The first digit of a number that is being typed is no mistake yet.
    const begins = /^\d?$/.test(typed) && document.activeElement === this.input;
    if (this.refused) this.refused.hidden = sound;
    this.invalid.hidden = sound || begins || Boolean(this.refused);
    const why = [this.refused, this.invalid].find((each) => each && !each.hidden);
    if (why) {
      this.input.setAttribute("aria-invalid", "true");
      this.input.setAttribute("aria-describedby", why.id);
    } else {
      this.input.removeAttribute("aria-invalid");
      this.input.removeAttribute("aria-describedby");
    }
  }

  // As the server writes a deadline: "24 Nov, 9:18 am", with the year when it is another one.
  moment(now, hours) {
    const at = this.parts(now + hours * 3600_000);
    const year = at.year === this.parts(now).year ? "" : ` ${at.year}`;
    // Four letters of September are the British way; the rest of the product writes three.
    const month = IS_ENGLISH ? at.month.slice(0, 3) : at.month;
    return `${at.day} ${month}${year}, ${at.hour}:${at.minute}\u00a0${at.dayPeriod.toLowerCase()}`;
  }

  parts(at) {
    return Object.fromEntries(this.words.formatToParts(at).map(({ type, value }) => [type, value]));
  }
}
customElements.define("expiry-field", ExpiryField);
