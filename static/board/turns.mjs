// The list of a game's turns, which scrolls: it begins where the turn stands that the page shows.

const lists = new WeakSet();

function start() {
  for (const list of document.querySelectorAll(".turn-list")) {
    if (lists.has(list)) continue;
    lists.add(list);
    const shown = list.querySelector("[aria-current]") ?? list.lastElementChild;
    const [inside, entry] = [list, shown].map((each) => each.getBoundingClientRect());
    list.scrollTop += (entry.top + entry.bottom - inside.top - inside.bottom) / 2;
  }
}

start();
document.addEventListener("htmx:load", start);
