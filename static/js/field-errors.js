// An error that comes along with a region marks the field that it is about, which stays as it is.
document.addEventListener("htmx:oobAfterSwap", ({ target }) => {
  const said = target.id?.endsWith("-error") ? document.getElementById(target.id) : null;
  if (!said) return;
  const field = document.querySelector(`[aria-describedby~="${said.id}"]`);
  if (said.textContent.trim()) field?.setAttribute("aria-invalid", "true");
  else field?.removeAttribute("aria-invalid");
});
