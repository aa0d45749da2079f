// A reminder is recorded in the tab that it opens. Its row says at once that it is under way, asks until it is recorded, and
// asks again when somebody comes back. A row that has no region of its own is asked for with the live region that it is in.
const ASKS = [300, 700, 1000, 2000, 4000, 8000];
const STAYS = 10_000;
const reminded = new Set();

// The tab that opens WhatsApp tells the others, which show it at once: a page that did not ask has no other way to know.
if (document.querySelector(".reminder-opened")) new BroadcastChannel("shared").postMessage("");

document.addEventListener("submit", ({ target, submitter }) => {
  const row = target.target === "_blank" && (submitter ?? target).closest("[data-row]");
  if (!row) return;
  const region = row.querySelector(".last-contact") ?? row;
  if (!region.id || !row.contains(target)) {
    askAround(row, submitter);
    return;
  }
  reminded.add(region.id);
  const words = row.querySelector("[data-contact]") ?? (region === row ? null : region);
  const before = words && [...words.childNodes];
  words?.replaceChildren(Object.assign(document.createElement("span"), { className: "quiet", textContent: _("Opening WhatsApp…") }));
  ask(region, 0, () => words?.replaceChildren(...before));
});

function ask(region, times, giveUp) {
  setTimeout(() => {
    if (!region.isConnected) return;
    if (times === ASKS.length) giveUp();
    else htmx.trigger(region, "stale");
    if (times < ASKS.length) ask(region, times + 1, giveUp);
  }, ASKS[times] ?? STAYS);
}

// Until the row has come anew, in which the button has no use any more: the live region does not wait for the focus to leave it.
function askAround(row, button) {
  const place = row.closest("live-panel");
  const panel = document.getElementById(place?.region()?.dataset.partOf)?.closest("live-panel") ?? place;
  if (!panel?.polls()) return;
  if (button) button.dataset.sent = "";
  ASKS.reduce((before, pause) => {
    setTimeout(() => { if (row.isConnected) panel.poll(); }, before + pause);
    return before + pause;
  }, 0);
  setTimeout(() => { delete button?.dataset.sent; }, STAYS * 2);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  reminded.forEach((id) => {
    const region = document.getElementById(id);
    if (region) htmx.trigger(region, "stale");
  });
});
