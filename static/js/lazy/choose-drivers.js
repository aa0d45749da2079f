// Who is meant is said as soon as the field is left, by Tab before the focus goes on: a driver who is known, those whose name begins
// so, or somebody new, who is asked for the phone number. Save goes to a number that nobody saw; what the server says of it later comes
// back as without this.
const FIELD = ".choose-drivers input[list]";
const PHONE = /^\+?\d[\d\s().-]{6,}$/;
const NUMBER = /^(.*\S)\s*,\s*(\+?\d[\d\s().-]{6,})$/;

// As the server reads it, see dashboard/web/sharing/driver_choice.py.
const MIN_LETTERS = 3;
const MAX_SIMILAR = 2;

const digitsOf = (value) => value.replace(/\D/g, "").slice(-10);
const template = (id) => document.getElementById(id).content.cloneNode(true);

// Those who are named so, or have this number. What is wrong with that, the server says.
function whoIs(typed, number) {
  const text = typed.toLowerCase();
  const options = [...document.getElementById("driver-names").options];
  const found = options.filter(({ value }) => {
    const comma = value.lastIndexOf(",");
    return [value, value.slice(0, comma)].some((each) => each.toLowerCase() === text) || (number && digitsOf(value.slice(comma)) === digitsOf(number));
  });
  const exact = found.filter(({ value }) => value.toLowerCase() === text);
  return exact.length ? exact : found;
}

function whoIsUnreachable(typed) {
  return JSON.parse(document.getElementById("driver-names").dataset.withoutPhone).find((each) => each.toLowerCase() === typed.toLowerCase());
}

function ask(input) {
  const cell = input.closest(".chosen");
  const typed = input.value.trim().replace(/\s+/g, " ");
  const [, name, number] = NUMBER.exec(typed) ?? [null, typed, PHONE.test(typed) ? typed : ""];
  const found = typed ? whoIs(typed, number) : [];
  const unreachable = found.length ? undefined : whoIsUnreachable(typed);
  say(input, found.length === 1 ? foundWords(found[0].value) : unreachable ? unreachableWords(unreachable) : "");
  const shown = cell.querySelector(".new-driver");
  const isNew = typed && !found.length && !unreachable;
  offer(input, isNew && !number ? similarTo(name) : []);
  if (!isNew) shown?.remove();
  else if (!shown && /\p{L}/u.test(name)) cell.append(fieldsFor(input, name, number));
}

function say(input, words) {
  document.getElementById(`${input.id}-said`).replaceChildren(words);
}

function foundWords(named) {
  const words = template("found-driver");
  words.querySelector("bdi").textContent = named;
  return words;
}

function unreachableWords(name) {
  const words = template("unreachable-driver");
  const said = words.querySelector("span > span");
  said.textContent = said.textContent.replace("{name}", () => name);
  return words;
}

function similarTo(name) {
  const text = name.toLowerCase();
  if (text.length < MIN_LETTERS) return [];
  const named = [...document.getElementById("driver-names").options];
  return named.filter(({ value }) => ` ${value.slice(0, value.lastIndexOf(","))}`.toLowerCase().includes(` ${text}`)).slice(0, MAX_SIMILAR);
}

function offer(input, similar) {
  const cell = input.closest(".chosen");
  cell.querySelector(".similar-drivers")?.remove();
  if (!similar.length) return;
  const offered = template("similar-drivers");
  const [choice] = offered.querySelectorAll("label");
  choice.replaceWith(...similar.map(({ value, dataset }) => {
    const each = choice.cloneNode(true);
    Object.assign(each.querySelector("input"), { name: input.name.replace("driver-", "known-"), value: dataset.id }).dataset.use = value;
    each.querySelector("bdi").textContent = value;
    return each;
  }));
  cell.querySelector(".field").after(offered);
}

function fieldsFor(input, name, number) {
  const fields = template("new-driver");
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
  if (!target.matches(".similar-drivers [data-use]")) return;
  const input = target.closest(".chosen").querySelector("input[list]");
  input.value = target.dataset.use;
  input.focus();
  ask(input);
});
document.addEventListener("focusin", ({ target }) => {
  delete target.dataset.unseen;
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches(".choose-drivers")) return;
  event.target.querySelectorAll("input[list]").forEach(ask);
  const empty = [...event.target.querySelectorAll("[data-unseen]")].find((each) => !each.value);
  if (!empty) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  empty.focus();
}, true);
