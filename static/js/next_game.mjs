// The key n leads to the next game that waits for the reader, while nothing is being typed.
//
// The link comes and goes with the page's parts, so it is looked for when the key is pressed.

const FIELDS = "input, textarea, select, [contenteditable]";

document.addEventListener("keydown", (event) => {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
  if (event.key !== "n" || hasModifier || event.repeat || event.defaultPrevented) return;
  if (event.target.closest(FIELDS)) return;
  document.querySelector("[data-next-game]")?.click();
});
