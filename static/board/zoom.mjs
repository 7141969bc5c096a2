// Looking closer at a board whose squares are small on this screen, and moving about on it.
//
// The page holds, in the element with data-board (or data-example, or data-replay-shown),
//   <div class="board-zoom" data-board-zoom hidden>
//     <button type="button" data-zoom="-1">…</button> <button type="button" data-zoom="1">…</button>
//   </div>
//   <div class="board-sheet" data-board-svg> the drawing </div>
// The buttons appear when a square is too narrow for what points at it. The sheet then scrolls; a new
// drawing put into it (a preview) keeps its size and place. Pinching is left to the browser.

const FINGER = 34; // CSS pixels
const MOUSE = 24;
const STEPS = ["", "zoom-1", "zoom-2", "zoom-3"]; // classes of the sheet, see board.css

class Zoom {
  constructor(bar) {
    this.bar = bar;
    const root = bar.closest("[data-board], [data-example], [data-replay-shown]");
    this.sheet = root.querySelector("[data-board-svg]");
    this.step = 0;
    bar.addEventListener("click", (event) => this.onClick(event));
    root.addEventListener("board:restart", () => this.offer());
    new ResizeObserver(() => this.offer()).observe(this.sheet);
  }

  onClick(event) {
    const by = Number(event.target.closest("[data-zoom]")?.dataset.zoom ?? 0);
    this.go(Math.min(Math.max(this.step + by, 0), STEPS.length - 1));
  }

  // Show the buttons where they help: zoomed already, or squares too small for finger or mouse.
  offer() {
    const cell = this.sheet.querySelector(".cell");
    const least = matchMedia("(any-pointer: coarse)").matches ? FINGER : MOUSE;
    const width = cell?.getBoundingClientRect().width ?? least;
    this.bar.hidden = this.step === 0 && width >= least;
    for (const button of this.bar.querySelectorAll("[data-zoom]")) {
      const end = button.dataset.zoom === "1" ? STEPS.length - 1 : 0;
      button.disabled = this.step === end;
    }
  }

  // Change the size and keep what was in the middle there.
  go(step) {
    const { sheet } = this;
    const x = (sheet.scrollLeft + sheet.clientWidth / 2) / sheet.scrollWidth;
    const y = (sheet.scrollTop + sheet.clientHeight / 2) / sheet.scrollHeight;
    sheet.classList.remove("zoomed", ...STEPS.filter(Boolean));
    if (step > 0) sheet.classList.add("zoomed", STEPS[step]);
    this.step = step;
    sheet.scrollLeft = x * sheet.scrollWidth - sheet.clientWidth / 2;
    sheet.scrollTop = y * sheet.scrollHeight - sheet.clientHeight / 2;
    this.offer();
  }
}

const bars = new WeakSet();

function start() {
  for (const bar of document.querySelectorAll("[data-board-zoom]")) {
    if (bars.has(bar)) continue;
    bars.add(bar);
    new Zoom(bar);
  }
}

start();
document.addEventListener("htmx:load", start);
