// The analysis board: a whole turn is added at once, and the page changes without being loaded anew.
//
// The page holds #analysis, whose links and forms htmx sends (hx-boost); each answer replaces it. In
// it are what board.mjs reads, links with data-step, and data-analysis-heading and -words, which are
// said in #analysis-announcement when another position is shown. Without scripts all of it works by
// loading pages.

import { boardOf } from "./board.mjs";
import { stepOfKey } from "./steps.mjs";

const OWN_KEYS = "input, textarea, select, summary, .cell, .zoomed, .text-board";

let played; // the last square of the turn that was just added: the focus stays there
let isFromList = false; // whether a turn was chosen from the list last

const analysis = () => document.querySelector("#analysis");

// Moving through the list changes its choice with each key: it waits for the button.
document.addEventListener(
  "change",
  ({ target }) => (isFromList = target.matches("[data-board-form] select")),
  true,
);

document.addEventListener("board:preview", ({ target, detail }) => {
  const waits = !detail.complete || isFromList;
  isFromList = false;
  if (waits) return;
  played = boardOf(target).before.at(-1)?.last ?? "";
  target.querySelector("[data-board-form]").requestSubmit();
});

document.addEventListener("keydown", (event) => {
  const step = stepOfKey(event);
  if (!["previous", "next"].includes(step) || event.target.closest(OWN_KEYS)) return;
  event.preventDefault();
  analysis()?.querySelector(`a[data-step="${step}"][aria-disabled="false"]`)?.click();
});

document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!detail.requestConfig?.boosted) return;
  const say = ["heading", "words"].map((one) => `[data-analysis-${one}]`);
  const said = say.map((one) => analysis()?.querySelector(one)?.textContent.trim() ?? "");
  document.querySelector("#analysis-announcement").textContent = said.filter(Boolean).join(". ");
  const root = analysis()?.querySelector("[data-board]:has([data-board-svg])");
  if (played !== undefined && root) boardOf(root).drawing.focus(played);
  played = undefined;
  showCurrent();
});

// The tree scrolls to the turn that is shown.
function showCurrent() {
  const tree = document.querySelector(".analysis-tree");
  const link = tree?.querySelector("[aria-current]");
  if (!link) return;
  const [inside, turn] = [tree, link].map((one) => one.getBoundingClientRect());
  tree.scrollTop += (turn.top + turn.bottom - inside.top - inside.bottom) / 2;
}

showCurrent();
