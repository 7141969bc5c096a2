// A short sound when a game begins to wait for its reader, for those who wish it.
//
// The page holds one button with data-sound, which switches it on and off for this browser.

const YEAR = 365 * 24 * 60 * 60; // seconds
const NOTES = [587.33, 880]; // Hz: D5 and A5
const LENGTH = 0.35; // seconds of a note

const button = document.querySelector("[data-sound]");
const waits = () => document.title.startsWith("●");

let context;
let waited = waits();

// A cookie: signing out empties the browser's storage.
const isOn = () => /(?:^|; )pli-sound=on/.test(document.cookie);

function show() {
  button.hidden = false;
  button.setAttribute("aria-pressed", String(isOn()));
}

function play() {
  context ??= new AudioContext();
  NOTES.forEach((frequency, number) => {
    const start = context.currentTime + number * 0.16;
    const volume = new GainNode(context, { gain: 0 });
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + LENGTH);
    const note = new OscillatorNode(context, { frequency, type: "triangle" });
    note.connect(volume).connect(context.destination);
    note.start(start);
    note.stop(start + LENGTH);
  });
}

button.addEventListener("click", () => {
  const secure = location.protocol === "https:" ? "; secure" : "";
  const age = isOn() ? 0 : YEAR;
  document.cookie = `pli-sound=on; path=/; max-age=${age}; samesite=lax${secure}`;
  show();
  if (isOn()) play(); // to hear what it is like; browsers also want a click before the first sound
});

// The title is put in with the news (live.mjs).
document.addEventListener("htmx:afterSettle", () => {
  const isNew = waits() && !waited;
  waited = waits();
  if (isNew && isOn()) play();
});

show();
