// Single keys for a round through one's games: [data-key] names the key that presses an element.
//
// The dialog #keys lists them, and its checkbox switches them off on this device (WCAG 2.1.4).
// Elements come and go with the page's parts, so they are looked for when a key is pressed.

const YEAR = 365 * 24 * 60 * 60; // seconds
const COOKIE = "pli-keys";
const FIELDS = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";
const ROWS = ".game-row-title a";

const dialog = document.getElementById("keys");
const keySwitch = dialog?.querySelector("[data-keys-switch]");

const isVisible = (element) => element.checkVisibility();
const areOff = () => new RegExp(`(?:^|; )${COOKIE}=off`).test(document.cookie);

function elementOf(key) {
  return [...document.querySelectorAll(`[data-key="${key}"]`)].find(isVisible);
}

// Assistive technology is told of the keys only while they work.
function announceKeys() {
  for (const element of document.querySelectorAll("[data-key]")) {
    if (areOff()) element.removeAttribute("aria-keyshortcuts");
    else element.setAttribute("aria-keyshortcuts", element.dataset.key);
  }
}

function moveInList(step) {
  const rows = [...document.querySelectorAll(ROWS)].filter(isVisible);
  const here = rows.indexOf(document.activeElement);
  const there = here < 0 ? (step > 0 ? 0 : rows.length - 1) : here + step;
  rows[there]?.focus();
}

function focusBoard() {
  document.querySelector('[data-board-svg] .cell[tabindex="0"]')?.focus();
}

function press(element) {
  element.click();
  if (element.matches("summary") && element.parentElement.open) {
    element.parentElement.querySelector("button")?.focus();
  }
}

const ACTIONS = { j: () => moveInList(1), k: () => moveInList(-1), b: focusBoard };

document.addEventListener("keydown", (event) => {
  // "?" needs the shift key on many keyboards.
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  if (hasModifier || (event.shiftKey && event.key !== "?") || event.key.length !== 1) return;
  if (event.defaultPrevented || areOff() || dialog?.open || event.target.closest(FIELDS)) return;
  if (event.repeat && !"jk".includes(event.key)) return;
  const element = /^[a-z?]$/.test(event.key) && elementOf(event.key);
  if (element) press(element);
  else if (event.key in ACTIONS) ACTIONS[event.key]();
  else return;
  event.preventDefault();
});

// Escape closes an open snooze and leads back to what opened it.
document.addEventListener("keydown", (event) => {
  const open = event.key === "Escape" && event.target.closest("details.snooze[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

if (dialog) {
  const opener = document.querySelector("[data-keys-open]");
  opener.hidden = false;
  opener.querySelector("button").addEventListener("click", () => dialog.showModal());
  keySwitch.checked = !areOff();
  keySwitch.addEventListener("change", () => {
    const secure = location.protocol === "https:" ? "; secure" : "";
    const age = keySwitch.checked ? 0 : YEAR;
    document.cookie = `${COOKIE}=off; path=/; max-age=${age}; samesite=lax${secure}`;
    announceKeys();
  });
}
document.addEventListener("htmx:afterSettle", announceKeys);
announceKeys();
