// Remembers which groups of games are folded, in a cookie: the next page comes with them folded.

const YEAR = 365 * 24 * 60 * 60; // seconds
const COOKIE = "pli-folded";

function foldedBefore() {
  const found = new RegExp(`(?:^|; )${COOKIE}=([a-z.]*)`).exec(document.cookie);
  return new Set(found?.[1].split(".").filter(Boolean));
}

function remember(group, isOpen) {
  const folded = foldedBefore();
  if (isOpen) folded.delete(group.dataset.group);
  else folded.add(group.dataset.group);
  const secure = location.protocol === "https:" ? "; secure" : "";
  const value = [...folded].sort().join(".");
  document.cookie = `${COOKIE}=${value}; path=/; max-age=${value ? YEAR : 0}; samesite=lax${secure}`;
}

// A group can be folded before this script has run.
for (const group of document.querySelectorAll("[data-group]")) remember(group, group.open);

// Not "toggle", which comes later: the player may have left the page by then.
document.addEventListener("click", (event) => {
  const group = event.target.closest("[data-group] > summary")?.parentElement;
  if (group && !event.defaultPrevented) remember(group, !group.open);
});

// A filtered list was written before the newest folding.
document.addEventListener("htmx:afterSwap", () => {
  const folded = foldedBefore();
  for (const group of document.querySelectorAll("[data-group]")) {
    group.open = !folded.has(group.dataset.group);
  }
});
