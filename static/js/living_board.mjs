// The short game of the landing page plays itself:
//   <section data-living-board> <img data-living-board-image>
//     <ol><li data-image="address of the board after the turn">the turn in words</li>…</ol>
//     <button data-living-board-button data-pause="Pause" data-play="Watch it"></button></section>
// The turn that is shown has aria-current="step". It stops while the page is hidden, and does not
// begin by itself for readers who ask for less motion.

const TURN = 1600; // milliseconds
const END = 5000; // how long the last turn stays

class LivingBoard {
  constructor(root) {
    this.image = root.querySelector("[data-living-board-image]");
    this.turns = [...root.querySelectorAll("[data-image]")];
    this.button = root.querySelector("[data-living-board-button]");
    this.at = this.turns.length - 1;
    this.timer = 0;
    root.classList.add("moving");
    this.button.addEventListener("click", () => this.play(!this.isPlaying));
    document.addEventListener("visibilitychange", () => this.wait());
    this.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  }

  play(isPlaying) {
    this.isPlaying = isPlaying;
    this.button.textContent = isPlaying ? this.button.dataset.pause : this.button.dataset.play;
    if (isPlaying && this.at === this.turns.length - 1) this.step();
    else this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    if (!this.isPlaying || document.hidden) return;
    const isLast = this.at === this.turns.length - 1;
    this.timer = setTimeout(() => this.step(), isLast ? END : TURN);
  }

  // The words change when the drawing is there: a slow network only slows the game down.
  async step() {
    clearTimeout(this.timer);
    const next = (this.at + 1) % this.turns.length;
    const drawing = new Image();
    drawing.src = this.turns[next].dataset.image;
    try {
      await drawing.decode();
    } catch {
      return this.play(false); // no network
    }
    if (!this.isPlaying) return;
    this.turns[this.at].removeAttribute("aria-current");
    this.at = next;
    this.turns[next].setAttribute("aria-current", "step");
    this.image.src = this.turns[next].dataset.image;
    this.wait();
  }
}

for (const root of document.querySelectorAll("[data-living-board]")) new LivingBoard(root);
