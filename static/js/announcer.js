// One permanent status element says what changed; anybody asks with: document.dispatchEvent(new CustomEvent("announce", {detail: words})).
document.addEventListener("announce", (event) => {
  const announcer = document.getElementById("announcer");
  if (!announcer) return;
  announcer.textContent = "";
  setTimeout(() => { announcer.textContent = event.detail; }, 50);
});
