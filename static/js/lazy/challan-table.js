// Selects, sums, sorts and filters a vehicle's challans. A tick and its sum show at once; the server's answer to the tick
// takes the place of that sum. A filtered-out challan keeps its tick and still counts. Filter and order stand in the
// address.
const PLACES = 6;
const PAUSE = 150; // A tick is sent at once, those that follow it faster than this as one.

// Amounts are decimal text; they are added as whole millionths, never as floating numbers.
function exact(text) {
  const [, sign, whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const value = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, "0"));
  return sign ? -value : value;
}

function grouped(millionths) {
  const half = 5n * 10n ** BigInt(PLACES - 3);
  const paise = (millionths + half) / 10n ** BigInt(PLACES - 2);
  const digits = String(paise).padStart(3, "0");
  const whole = digits.slice(0, -2);
  const thousands = whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ",");
  return `${thousands ? `${thousands},` : ""}${whole.slice(-3)}.${digits.slice(-2)}`;
}

// A row's value by column; null where it has none.
const VALUE_OF = {
  challan: (row) => row.dataset.challan,
  date: (row) => row.querySelector(".date time")?.dateTime ?? null,
  offence: (row) => row.querySelector(".offence bdi")?.textContent ?? null,
  place: (row) => row.querySelector(".place bdi")?.textContent ?? null,
  state: (row) => row.querySelector(".where bdi")?.dataset.raw ?? null,
  type: (row) => row.querySelector(".where .sub")?.dataset.raw ?? null,
  age: (row) => (row.dataset.age === "" ? null : Number(row.dataset.age)),
  amount: (row) => exact(row.dataset.amount),
  total: (row) => exact(row.dataset.total),
};

function announce(words) {
  document.dispatchEvent(new CustomEvent("announce", { detail: words }));
}

// What the page says when a tick could not be saved.
const UNSAVED = {
  ended: _("Your session has ended. Your ticks stay here; Review and create asks you to sign in, and keeps them."),
  silent: _("These ticks are not saved yet: the dashboard did not answer. The next tick saves them all."),
};
// What a person was doing in a list that another takes the place of.
let before = null;

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap || detail.target.id !== "vehicle") return;
  before = detail.target.querySelector("challan-table")?.state() ?? null;
});
document.addEventListener("htmx:afterSwap", ({ target }) => {
  if (target.id === "vehicle" && before) scrollTo({ top: before.scroll, behavior: "instant" });
});
// Once htmx listens to the new list.
document.addEventListener("htmx:afterSettle", ({ target }) => {
  if (target.id !== "vehicle") return;
  document.querySelector("challan-table")?.resume(before);
  before = null;
});

class ChallanTable extends HTMLElement {
  connectedCallback() {
    this.table ??= this.prepare();
    // After Back the browser restores ticks without an event.
    this.again = () => this.count();
    addEventListener("pageshow", this.again);
    this.follow = () => this.updateLinks();
    document.addEventListener("region-updated", this.follow);
    this.restoreView();
    this.count();
    // What was ticked before this script had come is sent as well, once htmx listens.
    if (this.boxes.some((box) => box.checked !== box.defaultChecked)) this.whenLoaded(() => this.changed(this.form));
  }

  disconnectedCallback() {
    clearTimeout(this.sending);
    removeEventListener("pageshow", this.again);
    document.removeEventListener("region-updated", this.follow);
  }

  whenLoaded(step) {
    if (document.readyState === "complete") step();
    else addEventListener("load", () => { if (this.isConnected) step(); }, { once: true });
  }

  prepare() {
    const table = this.querySelector("table");
    this.form = this.querySelector("form");
    this.boxes = [...this.querySelectorAll('input[name="challan"]')];
    this.rows = [...this.querySelectorAll("tr.challan")];
    this.rowOf = new Map(this.boxes.map((box) => [box, box.closest("tr")]));
    this.totals = new Map(this.boxes.map((box) => [box, VALUE_OF.total(this.rowOf.get(box))]));
    this.all = this.querySelector("[data-select-all]");
    this.rows.forEach((row, index) => { row.listed = index; });
    this.page = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.steps = 0;
    this.addEventListener("change", ({ target }) => this.changed(target));
    table.addEventListener("click", (event) => this.clickRow(event));
    table.addEventListener("mouseover", ({ target }) => {
      const cell = target.closest(".offence, .place");
      if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
    });
    table.addEventListener("mousedown", (event) => {
      if (event.shiftKey && event.target.closest("tr.challan-payable")) event.preventDefault(); // It would select text.
    });
    this.addEventListener("click", ({ target }) => {
      const pick = target.closest("[data-pick]");
      if (pick) this.pick(pick.dataset);
      if (target.closest("[data-clear-hidden]")) this.untick((box) => this.rowOf.get(box).hidden);
    });
    this.querySelector("[data-clear-all]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.untick(() => true);
      this.all?.focus();
    });
    ["htmx:sendError", "htmx:timeout"].forEach((name) => this.addEventListener(name, ({ target }) => this.failed(target, 0)));
    this.addEventListener("htmx:beforeOnLoad", (event) => {
      const { status } = event.detail.xhr;
      if (status < 400 || status === 422 || !this.failed(event.target, status)) return;
      event.preventDefault();
    });
    this.addEventListener("htmx:afterSwap", ({ target }) => { if (target.id === "selection-sum") this.show("[data-unsaved]", ""); });
    this.prepareOrder(table);
    this.prepareFilters();
    return table;
  }

  // Ticks

  changed(target) {
    if (target === this.all) this.shown().forEach((box) => { box.checked = this.all.checked; });
    else if (target !== this.form && target.name !== "challan") return;
    this.steps += 1;
    this.form.elements.step.value = `${this.page}.${this.steps}`;
    const sum = this.querySelector("#selection-sum");
    if (sum) {
      // An answer to an earlier tick must not take the place of this one.
      htmx.trigger(sum, "htmx:abort");
      sum.dataset.pending = "";
      this.show("[data-problem]", "");
    }
    this.count();
    if (sum) this.send();
  }

  send() {
    const now = performance.now();
    const pause = now - this.tickedAt < PAUSE ? PAUSE : 0;
    this.tickedAt = now;
    clearTimeout(this.sending);
    this.sending = setTimeout(() => htmx.trigger("#selection-sum", "ticked"), pause);
  }

  shown() {
    return this.boxes.filter((box) => !this.rowOf.get(box).hidden);
  }

  untick(which) {
    this.boxes.forEach((box) => { if (which(box)) box.checked = false; });
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Those older than so many days, or so many of the oldest; a date that is not known is no age.
  pick({ pick, days, most }) {
    const age = (box) => VALUE_OF.age(this.rowOf.get(box)) ?? -1;
    const oldest = [...this.boxes].sort((one, other) => age(other) - age(one)).slice(0, Number(most));
    const picked = { old: (box) => age(box) > Number(days), oldest: (box) => oldest.includes(box) }[pick];
    this.boxes.forEach((box) => { box.checked = picked(box); });
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
    document.getElementById("open-review").focus({ preventScroll: true });
  }

  clickRow(event) {
    const box = event.target.closest("tr.challan-payable")?.querySelector("input");
    if (!box) return;
    if (event.target === box) {
      if (event.shiftKey && this.latest && this.latest !== box) this.tickRange(this.latest, box);
      this.latest = box;
      return;
    }
    if (event.target.closest("a, button, input, label") || String(getSelection())) return;
    box.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, shiftKey: event.shiftKey }));
  }

  // From the row that was clicked before to this one, as they stand on the page.
  tickRange(from, to) {
    const visible = [...this.table.querySelectorAll('input[name="challan"]')].filter((box) => !this.rowOf.get(box).hidden);
    const [start, end] = [visible.indexOf(from), visible.indexOf(to)].sort((a, b) => a - b);
    if (start >= 0) visible.slice(start, end + 1).forEach((box) => { box.checked = to.checked; });
  }

  count() {
    const sum = this.querySelector("#selection-sum");
    const shown = this.shown();
    const ticked = this.boxes.filter((box) => box.checked);
    if (this.all) {
      const on = shown.filter((box) => box.checked).length;
      this.all.checked = on > 0 && on === shown.length;
      this.all.indeterminate = on > 0 && on < shown.length;
      this.all.closest("label").hidden = !shown.length;
      const isFiltered = this.rows.some((row) => row.hidden);
      const words = isFiltered ? _("Select the %(count)s shown", { count: shown.length }) : _("Select all payable");
      this.querySelector("[data-select-words]").textContent = words;
    }
    // What nothing is selected for needs no blue button; while rows are hidden, all would not be all that is seen.
    this.toggleAttribute("data-none", !ticked.length);
    const picks = this.querySelector("[data-picks]");
    if (picks) picks.hidden = ticked.length > 0 || this.rows.some((row) => row.hidden);
    const earlier = this.querySelector("[data-earlier]");
    if (earlier && !ticked.length) earlier.hidden = true;
    if (!sum) return;
    const refused = new Set(sum.dataset.refused.split(" "));
    const counted = ticked.filter((box) => !refused.has(box.value));
    const known = counted.map((box) => this.totals.get(box)).filter((total) => total !== null);
    const words = this.fill(counted.length ? this.dataset.summary : this.dataset.noneSelected, {
      count: counted.length,
      payable: sum.dataset.payable,
      sum: this.dataset.zero.replace("0.00", grouped(known.reduce((one, other) => one + other, 0n))),
    });
    const unknown = counted.length - known.length;
    const place = sum.querySelector("[data-words]");
    const said = words + (unknown ? ` ${this.fill(this.dataset.without, { unknown })}` : "");
    if (place.textContent !== said) place.textContent = said;
    this.show("[data-makes]", this.plan(counted.length));
    const hidden = ticked.filter((box) => this.rowOf.get(box).hidden).length;
    this.show("[data-hidden-words]", _("%(shown)s shown, %(hidden)s hidden also selected", { shown: shown.length, hidden }));
    this.querySelector("[data-hidden]").hidden = !hidden;
  }

  plan(count) {
    const most = Number(this.dataset.mostPerLink);
    if (count <= most) return "";
    const sizes = Array(Math.floor(count / most)).fill(most);
    if (count % most) sizes.push(count % most);
    return this.fill(this.dataset.plan, { count, links: sizes.length, sizes: sizes.join(" + ") });
  }

  fill(sentence, values) {
    return sentence.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  show(place, words) {
    const element = this.querySelector(place);
    if (!element) return;
    if (element.textContent !== (words || "")) element.textContent = words || "";
    element.hidden = !words;
  }

  failed(target, status) {
    if (target.id !== "selection-sum") return false;
    const words = status === 401 ? UNSAVED.ended : UNSAVED.silent;
    this.show("[data-unsaved]", words);
    announce(words);
    return true;
  }

  // In place of another list: what was ticked since that one was saved, and the focus.

  state() {
    const focused = document.activeElement;
    return {
      listed: new Set(this.boxes.map((box) => box.value)),
      ticked: new Set(this.boxes.filter((box) => box.checked).map((box) => box.value)),
      scroll: scrollY,
      focused: focused?.name === "challan" && this.contains(focused) ? focused.value : null,
    };
  }

  resume(last) {
    if (!last) return;
    const differing = this.boxes.filter((box) => last.listed.has(box.value) && box.checked !== last.ticked.has(box.value));
    differing.forEach((box) => { box.checked = !box.checked; });
    if (differing.length) this.form.dispatchEvent(new Event("change", { bubbles: true }));
    if (last.focused) (this.boxes.find((box) => box.value === last.focused) ?? this.all)?.focus({ preventScroll: true });
  }

  // Rows that name a link take over its state from the live region above, and stay in their group.
  updateLinks() {
    document.querySelectorAll("#vehicle-panel [data-link]").forEach((link) => {
      const state = link.querySelector(".state");
      this.querySelectorAll(`:is(.challan-status, .group-head) a[href=${JSON.stringify(link.dataset.link)}]`).forEach((named) => {
        const row = named.closest("tr");
        const shown = row.querySelector(".state");
        if (!shown || shown.textContent === state.textContent) return;
        shown.replaceWith(state.cloneNode(true));
        if (!link.querySelector("[data-until]")) row.querySelector(".challan-status time-ago")?.parentElement.remove();
        row.classList.add("glow");
      });
    });
  }

  // Order and filters

  prepareOrder(table) {
    table.querySelectorAll("th[data-sort]").forEach((header) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => {
        const down = header.getAttribute("aria-sort") === "ascending";
        this.order(`${down ? "-" : ""}${header.dataset.sort}`);
        this.storeView();
      });
    });
    this.choice = this.querySelector("[data-order]");
    this.choice?.addEventListener("change", () => {
      this.order(this.choice.value);
      this.storeView();
    });
  }

  // By a column, downwards with "-"; "" is the order of the list.
  order(wanted) {
    const key = wanted.replace(/^-/, "");
    const turn = wanted.startsWith("-") ? -1 : 1;
    this.ordered = VALUE_OF[key] ? wanted : "";
    const values = new Map(this.rows.map((row) => [row, VALUE_OF[key]?.(row)]));
    this.querySelectorAll("th[data-sort]").forEach((header) => {
      if (header.dataset.sort === key) header.setAttribute("aria-sort", turn < 0 ? "descending" : "ascending");
      else header.removeAttribute("aria-sort");
    });
    if (this.choice) {
      this.choice.value = wanted;
      if (this.choice.selectedIndex < 0) this.choice.value = "";
    }
    this.querySelectorAll("tbody").forEach((body) => {
      const rows = [...body.querySelectorAll("tr.challan")];
      rows.sort((one, other) => {
        if (!this.ordered) return one.listed - other.listed;
        const [a, b] = [values.get(one), values.get(other)];
        if (a === null || b === null) return (a === null) - (b === null) || one.listed - other.listed;
        const less = typeof a === "bigint" ? (a > b) - (a < b) : a.localeCompare(b, "en", { numeric: true });
        return turn * less || one.listed - other.listed;
      });
      body.append(...rows);
    });
    if (!this.ordered) this.showListedOrder();
  }

  // The service lists the newest first, as a rule.
  showListedOrder() {
    const isNewestFirst = [...this.querySelectorAll("tbody")].every((body) => {
      const dates = [...body.querySelectorAll("tr.challan")].map(VALUE_OF.date);
      return dates.every((date, place) => !place || (date ?? "") <= (dates[place - 1] ?? ""));
    });
    if (isNewestFirst) this.querySelector('[data-sort="date"]').setAttribute("aria-sort", "descending");
  }

  prepareFilters() {
    this.filters = [...this.querySelectorAll("[data-filter]")];
    this.filters.forEach((filter) => filter.addEventListener("input", () => {
      this.filter();
      this.storeView();
    }));
    this.querySelectorAll("[data-clear]").forEach((button) => button.addEventListener("click", () => {
      this.filters.forEach((filter) => { filter.value = ""; });
      this.filter();
      this.storeView();
      this.openFilters();
      this.filters[0]?.focus();
    }));
  }

  // On a phone they are folded away.
  openFilters() {
    const fold = this.querySelector(".filters-fold");
    if (fold) fold.open = true;
  }

  filter() {
    const wanted = Object.fromEntries(this.filters.map((filter) => [filter.dataset.filter, filter.value.trim()]));
    const texts = this.sameOffence(wanted.text?.toLowerCase() ?? "");
    this.rows.forEach((row) => {
      const age = VALUE_OF.age(row);
      const limit = Number(wanted.age);
      row.hidden = Boolean(
        !texts.some((text) => row.textContent.toLowerCase().includes(text))
        || (wanted.state && VALUE_OF.state(row) !== wanted.state)
        || (wanted.type && VALUE_OF.type(row) !== wanted.type)
        || (limit && (age === null || (limit < 0 ? age > -limit : age <= limit))),
      );
    });
    this.querySelectorAll("tbody").forEach((body) => {
      const filtered = body.querySelectorAll("tr.challan[hidden]").length;
      const words = body.querySelector("[data-hidden-count]");
      words.textContent = filtered ? _("%(count)s filtered out", { count: filtered }) : "";
      words.hidden = !filtered;
    });
    const visible = this.rows.filter((row) => !row.hidden).length;
    // Without a hit the button stands beside the words that say so.
    this.querySelector(".filters [data-clear]").hidden = !visible || !this.filters.some((filter) => filter.value);
    this.querySelector("[data-no-hit]").hidden = visible > 0;
    const ofAll = { visible, all: this.rows.length };
    announce(visible ? _("%(visible)s of %(all)s challans shown", ofAll) : _("No challan fits this filter."));
    this.count();
  }

  // As `same_offence` of the domain: an offence is found by its words in either script.
  sameOffence(text) {
    const names = (word) => text.length > 2 && (word.startsWith(text) || text.includes(word));
    const words = JSON.parse(this.filters.find((filter) => filter.dataset.same)?.dataset.same ?? "[]");
    return [text, ...(words.find((group) => group.some(names)) ?? [])];
  }

  // Only while the address is that of the list: a review may stand beside it.
  storeView() {
    if (location.pathname !== this.dataset.address) return;
    const query = new URLSearchParams(location.search);
    const view = [...this.filters.map((filter) => [filter.dataset.filter, filter.value.trim()]), ["order", this.ordered]];
    view.forEach(([name, value]) => {
      query.delete(name); // Whatever came first, the address is the same.
      if (value) query.set(name, value);
    });
    const address = location.pathname + (String(query) && `?${query}`) + location.hash;
    history.replaceState({ ...history.state }, "", address);
  }

  restoreView() {
    const query = new URLSearchParams(location.search);
    const order = query.get("order") ?? "";
    if (order || this.ordered) this.order(order); // The list comes in its own order.
    else this.showListedOrder();
    this.filters.forEach((filter) => {
      filter.value = query.get(filter.dataset.filter) ?? "";
      if (filter.selectedIndex < 0) filter.value = "";
    });
    if (!this.filters.some((filter) => filter.value)) return;
    this.openFilters();
    this.filter();
  }
}
customElements.define("challan-table", ChallanTable);
