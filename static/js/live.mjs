// Keeps the open page of a game up to date: asks what has changed, and htmx puts it in.
//
// The page holds one element with data-news-url, the address that answers 204 or the changed parts.
// Each answer brings a new element, and so a new address. Without an element nothing is asked.

const VISIBLE = 2000; // milliseconds between two questions
const HIDDEN = 30_000; // only the title and the icon can be seen then
const SLOWEST = 60_000;

let timer;
let failures = 0;
let asked; // the element whose address was asked last

const isVisible = () => document.visibilityState === "visible";

function schedule() {
  clearTimeout(timer);
  const pause = (isVisible() ? VISIBLE : HIDDEN) * 2 ** failures;
  timer = setTimeout(look, Math.min(pause, SLOWEST));
}

async function look() {
  asked = document.querySelector("[data-news-url]");
  if (!asked) return;
  const url = new URL(asked.dataset.newsUrl, location.href);
  // Who does not see the page gets mail.
  url.searchParams.set("looking", isVisible() ? "1" : "0");
  url.searchParams.set("said", document.querySelector("#said [name=said]")?.value ?? "");
  try {
    const path = `${url.pathname}${url.search}`;
    await htmx.ajax("GET", path, { source: document.body, swap: "none" });
  } finally {
    schedule();
  }
}

function markIcon() {
  const icon = document.querySelector('link[rel="icon"]');
  if (!icon?.dataset.turn) return;
  icon.dataset.plain ??= icon.href;
  const wanted = document.title.startsWith("●") ? icon.dataset.turn : icon.dataset.plain;
  if (icon.getAttribute("href") !== wanted) icon.href = wanted;
}

// Who sent the request that is answered: htmx tells of settling on each element that was put in.
function sender(event) {
  return (event.detail.requestConfig ?? event.detail).elt;
}

// An answer to something that the reader did, not to a question for news.
function isDone(event) {
  return sender(event) !== document.body;
}

// A form that was sent meanwhile has brought newer parts, or is going to: htmx has no place for its
// answer once the form is gone.
document.addEventListener("htmx:beforeSwap", (event) => {
  const isSending = document.querySelector("form.htmx-request");
  if (!isDone(event) && (isSending || !asked?.isConnected)) event.detail.shouldSwap = false;
});

document.addEventListener("visibilitychange", () => (isVisible() ? look() : schedule()));
document.addEventListener("htmx:afterRequest", (event) => {
  const { status } = event.detail.xhr;
  failures = status === 0 || status >= 500 ? Math.min(failures + 1, 5) : 0;
  if (isDone(event) && failures > 0) tellOffline();
});
document.addEventListener("htmx:afterSettle", (event) => {
  markIcon();
  // What had the focus is gone: the next thing to hear is whose turn it is.
  if (isDone(event) && document.activeElement === document.body) {
    document.querySelector(".game-verdict")?.focus({ preventScroll: true });
  }
  // What a turn led to, and how to undo it, is told above the board.
  if (sender(event)?.matches(".turn-form, .game-undo")) {
    document.querySelector("#game-state")?.scrollIntoView({ block: "nearest" });
  }
});

function tellOffline() {
  const board = document.querySelector("[data-say-offline]");
  const status = board?.querySelector("[data-board-status]");
  if (status) status.textContent = board.dataset.sayOffline;
}

markIcon();
schedule();
