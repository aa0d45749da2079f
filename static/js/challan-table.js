// Selects, sums, sorts and filters a vehicle's challans. A filtered-out challan keeps its tick and still counts.
const PLACES = 6;

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
  state: (row) => row.querySelector(".where bdi")?.textContent ?? null,
  type: (row) => row.querySelector(".where .sub")?.textContent ?? null,
  age: (row) => (row.dataset.age === "" ? null : Number(row.dataset.age)),
  amount: (row) => exact(row.dataset.amount),
  total: (row) => exact(row.dataset.total),
};

class ChallanTable extends HTMLElement {
  connectedCallback() {
    this.table = this.querySelector("table");
    this.boxes = [...this.querySelectorAll('input[name="challan"]')];
    this.rows = [...this.querySelectorAll("tr.challan")];
    this.all = this.querySelector("[data-select-all]");
    this.rows.forEach((row, index) => { row.listed = index; });
    this.all?.addEventListener("change", () => {
      this.boxes.forEach((box) => { box.checked = this.all.checked; });
      this.count();
    });
    this.addEventListener("change", (event) => { if (event.target.name === "challan") this.count(); });
    this.table.addEventListener("click", (event) => this.clickRow(event));
    this.prepareOrder();
    this.prepareFilters();
    // After Back the browser restores ticks without an event.
    this.again = () => this.count();
    addEventListener("pageshow", this.again);
    this.follow = () => this.updateLinks();
    document.addEventListener("region-updated", this.follow);
    this.count();
  }

  disconnectedCallback() {
    removeEventListener("pageshow", this.again);
    document.removeEventListener("region-updated", this.follow);
  }

  // Rows that name a link take over its state from the live region above, and stay in their group.
  updateLinks() {
    document.querySelectorAll("#vehicle-panel [data-link]").forEach((link) => {
      const state = link.querySelector(".state");
      this.querySelectorAll(`.challan-status a[href=${JSON.stringify(link.dataset.link)}]`).forEach((named) => {
        const row = named.closest("tr");
        const shown = row.querySelector(".challan-status .state");
        if (!shown || shown.textContent === state.textContent) return;
        shown.replaceWith(state.cloneNode(true));
        if (!link.querySelector("[data-until]")) row.querySelector(".challan-status time-ago")?.parentElement.remove();
        row.classList.add("glow");
      });
    });
  }

  clickRow(event) {
    if (event.target.closest("a, button, input, label") || String(getSelection())) return;
    event.target.closest("tr.challan-payable")?.querySelector("input")?.click();
  }

  count() {
    const ticked = this.boxes.filter((box) => box.checked);
    let sum = 0n;
    let unknown = 0;
    ticked.forEach((box) => {
      const amount = VALUE_OF.total(box.closest("tr"));
      if (amount === null) unknown += 1;
      else sum += amount;
    });
    if (this.all) {
      this.all.checked = ticked.length > 0 && ticked.length === this.boxes.length;
      this.all.indeterminate = ticked.length > 0 && ticked.length < this.boxes.length;
    }
    const summary = this.querySelector("[data-summary]");
    if (!summary) return;
    const known = this.dataset.zero.replace("0.00", grouped(sum));
    const without = unknown ? ` · ${unknown} without an amount` : "";
    summary.textContent = `${ticked.length} of ${this.boxes.length} selected · ${known}${without}`;
    this.show("[data-plan]", this.plan(ticked.length));
    const hidden = ticked.filter((box) => box.closest("tr").hidden).length;
    this.show("[data-filtered]", hidden && `${hidden} of the selected ${hidden === 1 ? "is" : "are"} filtered out of view and still ${hidden === 1 ? "counts" : "count"}.`);
  }

  plan(count) {
    const most = Number(this.dataset.mostPerLink);
    if (count <= most) return "";
    const sizes = Array(Math.floor(count / most)).fill(most);
    if (count % most) sizes.push(count % most);
    return `${count} challans make ${sizes.length} links: ${sizes.join(" + ")}`;
  }

  show(place, words) {
    const element = this.querySelector(place);
    element.textContent = words || "";
    element.hidden = !words;
  }

  prepareOrder() {
    this.querySelectorAll("th[data-sort]").forEach((header) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.append(...header.childNodes);
      header.append(button);
      button.addEventListener("click", () => {
        const turned = header.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
        this.order(header.dataset.sort, turned);
      });
    });
    const choice = this.querySelector("[data-order]");
    choice?.addEventListener("change", () => this.order(...choice.value.split(" ")));
  }

  order(key, direction) {
    const turn = direction === "descending" ? -1 : 1;
    const values = new Map(this.rows.map((row) => [row, VALUE_OF[key]?.(row)]));
    this.querySelectorAll("th[data-sort]").forEach((header) => {
      if (header.dataset.sort === key) header.setAttribute("aria-sort", direction);
      else header.removeAttribute("aria-sort");
    });
    this.table.querySelectorAll("tbody").forEach((body) => {
      const rows = [...body.querySelectorAll("tr.challan")];
      rows.sort((one, other) => {
        if (!key) return one.listed - other.listed;
        const [a, b] = [values.get(one), values.get(other)];
        if (a === null || b === null) return (a === null) - (b === null) || one.listed - other.listed;
        const less = typeof a === "bigint" ? (a > b) - (a < b) : a.localeCompare(b, "en", { numeric: true });
        return turn * less || one.listed - other.listed;
      });
      body.append(...rows);
    });
  }

  prepareFilters() {
    this.filters = [...this.querySelectorAll("[data-filter]")];
    this.clear = this.querySelector("[data-clear]");
    this.filters.forEach((filter) => filter.addEventListener("input", () => this.filter()));
    this.clear?.addEventListener("click", () => {
      this.filters.forEach((filter) => { filter.value = ""; });
      this.filter();
      this.filters[0]?.focus();
    });
  }

  filter() {
    const wanted = Object.fromEntries(this.filters.map((filter) => [filter.dataset.filter, filter.value.trim()]));
    const text = wanted.text?.toLowerCase();
    this.rows.forEach((row) => {
      const age = VALUE_OF.age(row);
      const limit = Number(wanted.age);
      row.hidden = Boolean(
        (text && !row.textContent.toLowerCase().includes(text))
        || (wanted.state && VALUE_OF.state(row) !== wanted.state)
        || (wanted.type && VALUE_OF.type(row) !== wanted.type)
        || (limit && (age === null || (limit < 0 ? age > -limit : age <= limit))),
      );
    });
    this.table.querySelectorAll("tbody").forEach((body) => {
      const filtered = body.querySelectorAll("tr.challan[hidden]").length;
      const words = body.querySelector("[data-hidden-count]");
      words.textContent = filtered ? `${filtered} filtered out` : "";
      words.hidden = !filtered;
    });
    if (this.clear) this.clear.hidden = !this.filters.some((filter) => filter.value);
    const visible = this.rows.filter((row) => !row.hidden).length;
    document.dispatchEvent(new CustomEvent("announce", { detail: `${visible} of ${this.rows.length} challans shown` }));
    this.count();
  }
}
customElements.define("challan-table", ChallanTable);
