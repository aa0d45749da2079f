// Somebody new is asked for the phone number as soon as they are typed: the fields come into the row once nobody is called like what is
// typed, and at the latest when its field is left, by Tab before the focus goes on; where a driver has nearly that name, only once
// none is meant. Save goes to a number that nobody saw, and says that it lacks; what the server says of it later comes back as without this.
const FIELD = ".choose-drivers input[list]";
const PAUSE = 300;
const FEWEST_LETTERS = 3;
// As the server suggests them.
const FEWEST_OF_MEANT = 2;
const MOST_MEANT = 3;
// After a comma what begins with a digit is a number, however short it is yet.
const NUMBER = /^(?:(.*\S)\s*,\s*(?=\+?\d)|([^\d+]*[^\d\s+])\s+(?=\+?\d[\d\s().-]{6}))(\+?[\d\s().-]+)$/;

// Whether somebody is named so, or has this number. What is wrong with that, the server says.
function isKnown(typed, number) {
  const text = typed.toLowerCase();
  const digits = (value) => value.replace(/\D/g, "").slice(-10);
  const names = document.getElementById("driver-names");
  return [...names.options].some(({ value }) => {
    const comma = value.lastIndexOf(",");
    return [value, value.slice(0, comma)].some((each) => each.toLowerCase() === text) || (number && digits(value.slice(comma)) === digits(number));
  }) || JSON.parse(names.dataset.withoutPhone).some((each) => each.toLowerCase() === text);
}

function ask(input, isNew = false) {
  const cell = input.closest(".chosen");
  const shown = cell.querySelector(".new-driver");
  const typed = input.value.trim().replace(/\s+/g, " ");
  const [, before, alone, number] = NUMBER.exec(typed) ?? [null, typed, null, ""];
  const name = before ?? alone;
  // What the server has shown stays for as long as nothing else is typed.
  const isAsked = shown && (shown.dataset.name === name || input.value === input.defaultValue);
  if (!typed || isKnown(typed, number)) shown?.remove();
  else if (!number && !isNew && !isAsked && isMeant(name)) shown?.remove();
  else if (shown && number) moveNumber(input, name, number, shown);
  else if (!shown && /\p{L}/u.test(name)) cell.append(fieldsFor(input, name, number));
  if (isNew) cell.querySelector(".new-driver").dataset.name = name;
}

// The number has a field of its own by now.
function moveNumber(input, name, number, fields) {
  fields.querySelector("[type=tel]").value = number;
  input.value = name;
}

function known() {
  const names = document.getElementById("driver-names");
  return [...[...names.options].map(({ value }) => value), ...JSON.parse(names.dataset.withoutPhone)].map((each) => each.toLowerCase());
}

// Whether some driver may still be meant by what is typed so far.
function mayBeKnown(typed) {
  return known().some((each) => each.includes(typed.toLowerCase()));
}

// Whether a name, or a surname, begins so, and it is asked whether that is meant.
function isMeant(name) {
  const text = name.toLowerCase();
  const found = known().filter((each) => each.startsWith(text) || each.replace(/,[^,]*$/, "").includes(` ${text}`));
  return text.length >= FEWEST_OF_MEANT && found.length > 0 && found.length <= MOST_MEANT;
}

// Say beside Save how many rows have somebody; of whoever is asked about it is not known yet.
function count(form) {
  const fields = [...form.querySelectorAll("input[list]")];
  const ready = fields.filter((each) => each.value.trim() && !each.closest(".chosen").querySelector("[data-somebody-new]")).length;
  form.querySelector("[data-filled]").textContent = _("%(ready)s of %(count)s ready", { ready, count: fields.length });
}

document.addEventListener("htmx:afterSettle", ({ target }) => {
  const form = target.closest?.(".choose-drivers");
  if (form) count(form);
});

let typing;
document.addEventListener("input", ({ target }) => {
  if (!target.matches(FIELD)) return;
  count(target.form);
  clearTimeout(typing);
  // Before the row asks who is meant; a number is typed to its end before it moves.
  if (target.closest(".chosen").querySelector(".new-driver [type=tel]")?.value === "" && !/\d/.test(target.value)) ask(target);
  typing = setTimeout(() => {
    const typed = target.value.trim().replace(/\s+/g, " ");
    const isName = /\p{L}/u.test(typed) && typed.length >= FEWEST_LETTERS && !/\d/.test(typed);
    if (!typed || (isName && !mayBeKnown(typed))) ask(target);
  }, PAUSE);
});

function fieldsFor(input, name, number) {
  const fields = document.getElementById("new-driver").content.cloneNode(true);
  const rc = input.name.slice("driver-".length);
  fields.querySelectorAll("[id^=new-], [for^=new-]").forEach((each) => {
    for (const key of ["id", "name", "for"]) if (each.hasAttribute(key)) each.setAttribute(key, each.getAttribute(key).replace("new---", `new-${rc}-`));
  });
  const phone = fields.querySelector("[type=tel]");
  phone.value = number;
  phone.dataset.unseen = "";
  if (number) input.value = name;
  return fields;
}

document.addEventListener("keydown", ({ key, shiftKey, target }) => {
  if (key === "Tab" && !shiftKey && target.matches?.(FIELD)) ask(target);
});
document.addEventListener("change", ({ target }) => {
  if (target.matches(FIELD)) ask(target);
});
// Whoever is suggested is taken in place; what their row says then comes as for any other change.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.(".choose-drivers :is([data-typed], [data-somebody-new])");
  if (!button) return;
  event.preventDefault();
  const cell = button.closest(".chosen");
  const input = cell.querySelector("input[list]");
  if (button.matches("[data-somebody-new]")) {
    ask(input, true);
    cell.querySelector(".new-driver [type=tel]").focus();
    input.dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  input.value = button.dataset.typed;
  count(input.form);
  const all = [...input.form.querySelectorAll("input[list]")];
  (all.slice(all.indexOf(input) + 1).find((each) => !each.value) ?? input).focus();
  input.dispatchEvent(new Event("change", { bubbles: true }));
});
// The field keeps the focus until the click: what leaving it brings into the row would move the button from under the pointer.
document.addEventListener("mousedown", (event) => {
  if (event.target.closest(".choose-drivers .selection-bar .button")) event.preventDefault();
});
document.addEventListener("focusin", ({ target }) => {
  delete target.dataset.unseen;
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".choose-drivers")) return;
  event.target.querySelectorAll("input[list]").forEach((each) => ask(each));
  const empty = [...event.target.querySelectorAll("[data-unseen]")].find((each) => !each.value);
  if (!empty) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  empty.closest(".new-driver").querySelector("[data-needed]").hidden = false;
  empty.setAttribute("aria-invalid", "true");
  empty.focus();
}, true);
