// Whoever is in the list of a field may be typed without the number. Where it has none, the server knows who there is.
const isListed = ({ list, value }) => !list || [...list.options].some((each) => [each.value, each.value.split(",")[0]].some((name) => name.toLowerCase() === value.trim().toLowerCase()));

// Of somebody new: the name, with or without a comma, then the number.
const numberIn = (value) => value.replace(/^.*,|^[^\d+]*[^\d\s+](?=\s+\+?\d)/, "");

// Whoever is typed with a number will be saved, which is said before it happens.
document.addEventListener("input", ({ target }) => {
  const hint = document.querySelector(`#${CSS.escape(target.id)}-said > [data-new]`);
  if (!hint) return;
  const number = numberIn(target.value), name = target.value.slice(0, target.value.length - number.length).replace(/[\s,]+$/, "");
  hint.dataset.first ??= hint.textContent;
  hint.textContent = name && new RegExp(target.dataset.phone).test(number) && !isListed(target) ? hint.dataset.new.replace("{name}", () => name) : hint.dataset.first;
});

// Of whoever one tap sends it to, those stay that are typed, below the headings that still have somebody.
document.addEventListener("input", ({ target }) => {
  const list = target.closest(".follow-new")?.parentElement.querySelector(".drop-list");
  if (!list) return;
  const bare = (words) => words.replace(/[\s,+]/g, "").toLowerCase();
  const offered = [...list.querySelectorAll(".button")];
  for (const each of offered) each.hidden = !bare(each.textContent).includes(bare(target.value));
  for (const each of list.querySelectorAll(".field-label")) {
    let next = each.nextElementSibling;
    while (next?.hidden && next.matches(".button")) next = next.nextElementSibling;
    each.hidden = !next?.matches(".button");
  }
  list.hidden = offered.every(({ hidden }) => hidden);
});

// What is missing or cannot be a phone number stays on the page with the reason, and opens no tab.
document.addEventListener("submit", (event) => {
  const shown = [...event.target.querySelectorAll("[data-phone], [data-required]")].filter((field) => field.getClientRects().length);
  const wrong = shown.filter((field) => {
    const { phone, required = "", wrong: notPhone, nameAlone = "" } = field.dataset;
    const why = field.value.trim() === "" ? required : phone && !isListed(field) && !new RegExp(phone).test(numberIn(field.value)) ? (/\d/.test(field.value) ? notPhone : nameAlone.replace("{name}", () => field.value.replace(/[\s,]+$/, "").trim())) : "";
    document.getElementById(`${field.id}-error`).textContent = why;
    if (why) field.setAttribute("aria-invalid", "true");
    else field.removeAttribute("aria-invalid");
    return why;
  });
  if (!wrong.length) {
    // What comes of it takes the place of the form, unless a field in it is in use.
    if (event.target.matches(".share-send")) document.activeElement.blur();
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  wrong[0].focus();
}, true);
