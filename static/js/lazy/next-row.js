// A row that leaves its list, or is sent, hands the focus on to the next one that waits, in whatever list that stands, so that
// Enter sends to the next driver, and not to the same one again.
document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
  const part = detail.target ?? target;
  if (!part.matches?.(".follow, .follow-first") || !part.contains(document.activeElement)) return;
  const row = part.closest(".follow");
  // Those in a fold are shown on demand, and what was just sent is done.
  const rows = [...document.querySelectorAll(".follow-list:not(details .follow-list, #follow-just-sent) > .follow")];
  const list = rows.includes(row) ? rows : [...row.parentElement.children];
  const place = list.indexOf(row);
  const others = [...list.slice(place + 1), ...list.slice(0, place).reverse()];
  const next = others.find((each) => !each.querySelector(".follow-again"))?.id;
  setTimeout(() => {
    const leaves = part === row ? !row.isConnected && document.activeElement === document.body : row.querySelector(".follow-again");
    if (!leaves) return;
    // It may have been renewed with this one.
    (document.getElementById(next)?.querySelector(".follow-first :is(a, button, summary)") ?? document.getElementById("main"))?.focus();
  });
});
