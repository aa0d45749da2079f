// A row that leaves its list hands the focus on to the next one, in whatever list that stands, so that Enter sends to the next
// driver, and not to the same one again.
document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
  const row = detail.target ?? target;
  if (!row.matches?.(".follow") || !row.contains(document.activeElement)) return;
  // Those in a fold are shown on demand, and what was just sent is done.
  const rows = [...document.querySelectorAll(".follow-list:not(details .follow-list, #follow-just-sent) > .follow")];
  const waits = rows.includes(row);
  const list = waits ? rows : [...row.parentElement.children];
  const place = list.indexOf(row);
  const next = (list[place + 1] ?? list[place - 1])?.id;
  setTimeout(() => {
    const { activeElement, body } = document;
    if (row.isConnected || (activeElement !== body && !(waits && activeElement.closest("#follow-just-sent")))) return;
    // It may have been renewed with this one.
    (document.getElementById(next)?.querySelector(".follow-first :is(a, button, summary)") ?? document.getElementById("main"))?.focus();
  });
});
