// A row that leaves its list hands the focus on to the next one.
document.addEventListener("htmx:oobBeforeSwap", ({ target, detail }) => {
  const row = detail.target ?? target;
  if (!row.matches?.(".follow") || !row.contains(document.activeElement)) return;
  const next = row.nextElementSibling ?? row.previousElementSibling;
  setTimeout(() => {
    if (row.isConnected || document.activeElement !== document.body) return;
    (next?.isConnected ? next.querySelector("a") : document.getElementById("main"))?.focus();
  });
});
