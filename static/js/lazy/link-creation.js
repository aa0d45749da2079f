// Follows a form that creates a payment link: its problems get the focus, and once the link is there its address is copied
// by itself where the browser allows it, which its toast says. Whoever has closed the review meanwhile stays at the list, and a toast says what came of it.
const created = new WeakSet();

function wordsOf(element) {
  return element.textContent.trim().replace(/\s+/g, " ");
}

function say(words) {
  document.dispatchEvent(new CustomEvent("announce", { detail: words }));
}

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const { target: form, detail } = event;
  const { xhr } = detail;
  if (!form.matches("form[data-creates]") || xhr.getResponseHeader("HX-Redirect")) return;
  if (form.querySelector("[type=submit]").getClientRects().length) {
    if (xhr.getResponseHeader("HX-Push-Url")?.startsWith("/links/")) created.add(xhr);
    return;
  }
  event.preventDefault();
  document.dispatchEvent(new CustomEvent("late-answer", { detail }));
});

document.addEventListener("htmx:afterSettle", ({ target, detail }) => {
  if (target.id === "review") {
    // Not to the button, because what it would send now is not what was read.
    const lost = document.activeElement === document.body && (target.querySelector(".empty a") || document.getElementById("review-title"));
    (target.querySelector("[aria-invalid=true]") || lost || null)?.focus();
    // What is wrong with a field is read out with it.
    const why = target.querySelector(".notice-wrong");
    if (why) say(wordsOf(why));
  }
  // The button that asked for it may be gone with what it asked about.
  if (["request", "request-panel"].includes(target.id) && detail.requestConfig.verb === "post" && document.activeElement === document.body) {
    target.querySelector("button, a[href]")?.focus();
  }
  if (target.id === "main" && created.has(detail.xhr)) confirm(target, detail.requestConfig.elt.dataset);
});

// What is done with an address that is copied already. A field opens the keyboard of a phone, over what it is about.
function sendsFirst(page) {
  const fields = matchMedia("(pointer: fine)").matches ? "[list], [type=tel], button" : "button";
  return [...page.querySelectorAll(`.share-send :is(${fields})`)].find((each) => each.checkVisibility());
}

async function confirm(page, words) {
  const field = page.querySelector("copy-field");
  const isCopied = await field?.copyUnasked();
  if (field && !field.isConnected) return;
  const said = isCopied ? words.copied : words.created;
  say(said);
  if (!field) return;
  place(isCopied && sendsFirst(page) || field.button);
  // Why it may not be copied stays there.
  if (!isCopied && field.said.textContent) return;
  field.said.textContent = "";
  const told = [...document.querySelectorAll("#toasts [data-toast-words]")].findLast((each) => each.textContent.startsWith(words.created));
  if (told) told.textContent = told.textContent.replace(words.created, said);
}

// Nobody has chosen it: it holds no news of the link back until they use it (live-panel.js).
function place(control) {
  const use = () => { delete control.dataset.placed; };
  control.dataset.placed = "";
  ["keydown", "pointerdown"].forEach((type) => control.addEventListener(type, use, { once: true }));
  control.focus();
}
