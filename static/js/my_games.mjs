// Remembers which groups of games are folded, in a cookie: the next page comes with them folded.

const YEAR = 365 * 24 * 60 * 60; // seconds
const COOKIE = "pli-folded";

function foldedBefore() {
  const found = new RegExp(`(?:^|; )${COOKIE}=([a-z.]*)`).exec(document.cookie);
  return new Set(found?.[1].split(".").filter(Boolean));
}

// "toggle" does not bubble; groups come and go with the filters.
document.addEventListener(
  "toggle",
  ({ target }) => {
    const group = target.dataset?.group;
    if (!group) return;
    const folded = foldedBefore();
    if (target.open) folded.delete(group);
    else folded.add(group);
    const secure = location.protocol === "https:" ? "; secure" : "";
    const value = [...folded].sort().join(".");
    document.cookie = `${COOKIE}=${value}; path=/; max-age=${value ? YEAR : 0}; samesite=lax${secure}`;
  },
  true,
);
