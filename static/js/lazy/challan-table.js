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
  state: (row) => row.querySelector(".where bdi")?.dataset.raw ?? null,
  type: (row) => row.querySelector(".where span[data-raw]")?.dataset.raw ?? null,
  age: (row) => (row.dataset.age === "" ? null : Number(row.dataset.age)),
  amount: (row) => exact(row.dataset.amount),
  total: (row) => exact(row.dataset.total),
};

function announce(words) {
  document.dispatchEvent(new CustomEvent("announce", { detail: words }));
}

// What the page says when a tick could not be saved.
const UNSAVED = {
  ended: _("Your session has ended. Your ticks stay: Review and create keeps them while you sign in."),
  silent: _("Not saved yet: no answer. The next tick saves all."),
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
    this.land = (event) => this.landAt(event.target.closest?.(".vehicle-counts a"));
    document.addEventListener("click", this.land);
    this.restoreView();
    this.count();
    // Once it is out of sight, the bar at the top names the vehicle.
    this.head.observe(document.querySelector(".vehicle-title"));
    // What was ticked before this script had come is sent as well, once htmx listens.
    if (this.boxes.some((box) => box.checked !== box.defaultChecked)) this.whenLoaded(() => this.changed(this.form));
  }

  disconnectedCallback() {
    this.head.disconnect();
    clearTimeout(this.sending);
    removeEventListener("pageshow", this.again);
    document.removeEventListener("region-updated", this.follow);
    document.removeEventListener("click", this.land);
  }

  // Rows on the way are drawn only then, and turn out higher or lower than was reckoned.
  landAt(link) {
    const group = link && document.getElementById(link.hash.slice(1));
    const fold = group?.querySelector("details.fold");
    if (fold) fold.open = true;
    if (group) requestAnimationFrame(() => requestAnimationFrame(() => group.scrollIntoView({ behavior: "instant" })));
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
    this.allSelected = this.querySelector(".all-selected")?.textContent;
    this.allInShort = this.querySelector("[data-short]")?.dataset.short;
    // Pressed before this script had come; until then the server ticks all for it.
    this.all?.removeAttribute("name");
    if (this.all && this.all.checked !== this.all.defaultChecked) this.boxes.forEach((box) => { box.checked = this.all.checked; });
    this.picks = new Map([...this.querySelectorAll("[data-pick]")].map((button) => [button, this.picked(button.dataset)]));
    this.prepareToolbar();
    this.rows.forEach((row, index) => { row.listed = index; });
    this.page = crypto.getRandomValues(new Uint32Array(2)).join("-");
    this.steps = 0;
    this.addEventListener("change", ({ target }) => this.changed(target));
    table.addEventListener("click", (event) => this.clickRow(event));
    table.addEventListener("mousedown", (event) => {
      if (event.shiftKey && event.target.closest("tr.challan-payable")) event.preventDefault(); // It would select text.
    });
    this.addEventListener("click", ({ target }) => {
      const pick = target.closest("[data-pick]");
      if (pick) this.pick(pick);
      if (target.closest("[data-clear-hidden]")) this.clear((box) => this.rowOf.get(box).hidden);
      if (target.closest("[data-restore]")) this.restore();
    });
    this.querySelector("[data-clear-all]")?.addEventListener("click", (event) => {
      event.preventDefault();
      this.clear(() => true);
    });
    ["htmx:sendError", "htmx:timeout"].forEach((name) => this.addEventListener(name, ({ target }) => this.failed(target, 0)));
    this.addEventListener("htmx:beforeOnLoad", (event) => {
      const { status } = event.detail.xhr;
      if (status < 400 || status === 422 || !this.failed(event.target, status)) return;
      event.preventDefault();
    });
    this.addEventListener("htmx:afterSwap", ({ target }) => { if (target.id === "selection-sum") this.answered(); });
    this.querySelector("[data-to-top]").addEventListener("click", () => scrollTo({ top: 0, behavior: "instant" }));
    this.head = new IntersectionObserver(([{ isIntersecting }]) => this.toggleAttribute("data-away", !isIntersecting));
    this.prepareOrder(table);
    this.prepareFilters();
    return table;
  }

  // Ticks

  changed(target) {
    const isAll = target === this.all;
    if (isAll) this.shown().forEach((box) => { box.checked = this.all.checked; });
    else if (target !== this.form && target.name !== "challan") return;
    this.steps += 1;
    // Of what was ticked earlier, and of what was cleared, nothing is said any more.
    this.querySelectorAll("[data-cleared], [data-earlier]").forEach((words) => { words.hidden = true; });
    this.form.elements.step.value = `${this.page}.${this.steps}`;
    const sum = this.querySelector("#selection-sum");
    if (sum) {
      // An answer to an earlier tick must not take the place of this one.
      htmx.trigger(sum, "htmx:abort");
      sum.dataset.pending = "";
      this.show("[data-problem]", "");
    }
    this.count();
    // A key ticks all without the focus, so that its box says nothing.
    if (isAll && document.activeElement !== this.all) announce(sum?.querySelector("[data-words]").textContent ?? "");
    if (sum) this.send();
  }

  send() {
    const now = performance.now();
    const pause = now - this.tickedAt < PAUSE ? PAUSE : 0;
    this.tickedAt = now;
    clearTimeout(this.sending);
    this.sending = setTimeout(() => htmx.trigger("#selection-sum", "ticked"), pause);
  }

  // The answer is to what was sent, which may have been before this script had come: then what is ticked is sent again.
  answered() {
    const words = this.querySelector("[data-count]");
    const said = words.textContent;
    this.show("[data-unsaved]", "");
    this.count();
    this.isLate = !this.isLate && words.textContent !== said;
    if (this.isLate) this.changed(this.form);
  }

  shown() {
    return this.boxes.filter((box) => !this.rowOf.get(box).hidden);
  }

  tick(boxes, on) {
    boxes.forEach((box) => { box.checked = on; });
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  // Until the next tick it can be undone.
  clear(which) {
    this.cleared = this.boxes.filter((box) => box.checked && which(box));
    this.tick(this.cleared, false);
    const count = this.cleared.length;
    const words = count === 1 ? _("1 tick cleared") : _("%(count)s ticks cleared", { count });
    this.querySelector("[data-cleared-words]").textContent = words;
    this.querySelector("[data-cleared]").hidden = false;
    this.querySelector("[data-restore]").focus({ preventScroll: true });
    announce(words);
  }

  restore() {
    this.tick(this.cleared, true);
    this.all?.focus({ preventScroll: true });
  }

  // Those older than so many days, or so many of the oldest; a date that is not known comes last.
  picked({ pick, days, most }) {
    if (pick === "old") return this.boxes.filter((box) => VALUE_OF.age(this.rowOf.get(box)) > Number(days));
    const date = (box) => VALUE_OF.date(this.rowOf.get(box)) ?? "unknown";
    return [...this.boxes].sort((one, other) => (date(one) > date(other)) - (date(one) < date(other))).slice(0, Number(most));
  }

  // The list keeps its order, and comes to the first that is ticked. The same again clears them.
  pick(button) {
    const boxes = button.ariaPressed === "true" ? [] : this.picks.get(button);
    this.boxes.forEach((box) => { box.checked = boxes.includes(box); });
    this.bringIntoView(this.rowOf.get(this.boxesAsShown().find((box) => box.checked)));
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
    announce(this.querySelector("#selection-sum [data-words]").textContent);
  }

  // Tab comes to one of them, and the arrow keys to the others.
  prepareToolbar() {
    const buttons = [...this.picks.keys()];
    if (buttons.length < 2) return;
    const bar = buttons[0].parentElement;
    const moves = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
    bar.setAttribute("role", "toolbar");
    const keep = (kept) => buttons.forEach((button) => { button.tabIndex = button === kept ? 0 : -1; });
    keep(buttons[0]);
    bar.addEventListener("focusin", ({ target }) => keep(target));
    bar.addEventListener("keydown", (event) => {
      if (!(event.key in moves)) return;
      event.preventDefault();
      const next = buttons.indexOf(event.target) + moves[event.key];
      buttons[Math.min(Math.max(next, 0), buttons.length - 1)].focus();
    });
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

  // Unless it is in view between the head of the table and the bar.
  bringIntoView(row) {
    if (!row) return;
    const [{ top, bottom }, bar] = [row, this.querySelector(".selection-bar")].map((part) => part.getBoundingClientRect());
    if (top < bar.height || bottom > bar.top) row.scrollIntoView({ block: "center", behavior: "instant" });
  }

  boxesAsShown() {
    return [...this.table.querySelectorAll('input[name="challan"]')];
  }

  // From the row that was clicked before to this one, as they stand on the page.
  tickRange(from, to) {
    const visible = this.boxesAsShown().filter((box) => !this.rowOf.get(box).hidden);
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
      const said = this.querySelector("[data-select-words]");
      said.textContent = words;
      said.parentElement.dataset.short = isFiltered ? _("%(count)s shown", { count: shown.length }) : this.allInShort;
      this.all.closest("label").toggleAttribute("data-all", this.all.checked);
      this.show(".all-selected", isFiltered ? _("All %(count)s shown are selected", { count: shown.length }) : this.allSelected);
    }
    // What nothing is selected for needs no blue button; while rows are hidden, all would not be all that is seen.
    this.toggleAttribute("data-none", !ticked.length);
    this.picks.forEach((boxes, button) => {
      button.ariaPressed = String(boxes.length === ticked.length && boxes.every((box) => box.checked));
      button.closest("[data-picks]").hidden = this.rows.some((row) => row.hidden);
    });
    if (!sum) return;
    const refused = new Set(sum.dataset.refused.split(" "));
    const counted = ticked.filter((box) => !refused.has(box.value));
    const values = { count: counted.length, payable: sum.dataset.payable };
    this.show("[data-count]", this.fill(this.dataset.summary, values));
    this.show("[data-dot]", counted.length ? " · " : "");
    const totals = counted.map((box) => this.totals.get(box));
    const unknown = totals.filter((total) => total === null).length;
    this.show("[data-sum]", counted.length ? this.written(totals.filter((total) => total !== null)) : "");
    this.show("[data-lacks]", unknown ? ` ${this.fill(this.dataset.without, { unknown })}` : "");
    const sizes = this.sizes(counted.length);
    const plan = { count: counted.length, links: sizes.length, sizes: sizes.join(" + ") };
    this.show("[data-makes]", sizes.length > 1 ? this.fill(this.dataset.plan, plan) : "");
    const brief = [this.fill(this.dataset.brief, values), sizes.length > 1 && this.fill(this.dataset.links, plan)];
    this.show("[data-said-in-brief]", counted.length ? brief.filter(Boolean).join(" · ") : "");
    const hidden = ticked.filter((box) => this.rowOf.get(box).hidden).length;
    this.show("[data-hidden-words]", _("%(shown)s shown, %(hidden)s hidden also selected", { shown: shown.length, hidden }));
    this.querySelector("[data-hidden]").hidden = !hidden;
    // Where all of them are hidden, clearing the hidden ones is the same.
    this.querySelector("[data-ticked]").hidden = hidden === ticked.length;
    this.show("[data-clear-all]", hidden ? _("Clear all %(count)s", { count: ticked.length }) : _("Clear"));
  }

  // The sum of what is known of these totals, and how many it lacks.
  written(totals) {
    const known = totals.filter((total) => total !== null);
    const sum = this.dataset.zero.replace("0.00", grouped(known.reduce((one, other) => one + other, 0n)));
    const unknown = totals.length - known.length;
    return unknown ? `${sum} ${this.fill(this.dataset.without, { unknown })}` : sum;
  }

  // Of the links that so many make.
  sizes(count) {
    const most = Number(this.dataset.mostPerLink);
    const sizes = Array(Math.floor(count / most)).fill(most);
    return count % most ? [...sizes, count % most] : sizes;
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
    // But for what was ticked in this list already.
    const asDrawn = this.boxes.filter((box) => last.listed.has(box.value) && box.checked === box.defaultChecked);
    const differing = asDrawn.filter((box) => box.checked !== last.ticked.has(box.value));
    differing.forEach((box) => { box.checked = !box.checked; });
    if (differing.length) this.form.dispatchEvent(new Event("change", { bubbles: true }));
    if (last.focused) (this.boxes.find((box) => box.value === last.focused) ?? this.all)?.focus({ preventScroll: true });
  }

  // Rows that name a link take over its state from the live region above, and stay in their group.
  updateLinks() {
    document.querySelectorAll("#vehicle-panel [data-links]").forEach((link) => {
      const state = link.querySelector(".state");
      const named = link.dataset.links.split(" ").map((address) => `a[href=${JSON.stringify(address)}]`);
      this.querySelectorAll(`:is(.challan-status, .group-head) :is(${named})`).forEach((named) => {
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
      this.filters[0]?.focus();
    }));
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
      const rows = [...body.querySelectorAll("tr.challan")];
      const shown = rows.filter((row) => !row.hidden);
      const isFiltered = shown.length < rows.length;
      const words = body.querySelector("[data-shown]");
      const counts = { shown: shown.length, all: rows.length, sum: this.written(shown.map(VALUE_OF.total)) };
      const ofAll = shown.length && body.dataset.group === "payable" ? _("%(shown)s of %(all)s shown · %(sum)s", counts) : _("%(shown)s of %(all)s shown", counts);
      words.textContent = isFiltered ? ofAll : "";
      body.toggleAttribute("data-filtered", isFiltered);
    });
    const visible = this.rows.filter((row) => !row.hidden).length;
    // Without a hit the button stands beside the words that say so.
    this.querySelector(".challan-filters > [data-clear]").hidden = !visible || !this.filters.some((filter) => filter.value);
    this.querySelector("[data-no-hit]").hidden = visible > 0;
    const ofAll = { visible, all: this.rows.length };
    const found = visible ? _("%(visible)s of %(all)s challans shown", ofAll) : _("No challan fits this filter.");
    announce(found);
    const folded = this.filters.slice(1).filter((filter) => filter.value).length;
    this.querySelector("[data-filter-count]").textContent = folded ? ` (${folded})` : "";
    this.querySelector("[data-found]").textContent = visible && visible < this.rows.length ? found : "";
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
      filter.value ||= query.get(filter.dataset.filter) ?? ""; // Typed before this script had come.
      if (filter.selectedIndex < 0) filter.value = "";
    });
    if (!this.filters.some((filter) => filter.value)) return;
    this.filter();
  }
}
customElements.define("challan-table", ChallanTable);
