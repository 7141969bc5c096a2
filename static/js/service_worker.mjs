// Registers the service worker for whoever is signed in, and offers to install the site.

const YEAR = 365 * 24 * 60 * 60; // seconds

navigator.serviceWorker?.register("/service-worker.js");

// The browser's own banner is kept away. The offer is in the foot, until somebody declines it.
const offer = document.querySelector("[data-install]");
let prompt;

function decline() {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `pli-install=off; path=/; max-age=${YEAR}; samesite=lax${secure}`;
  offer.hidden = true;
}

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  prompt = event;
  if (offer) offer.hidden = /(?:^|; )pli-install=off/.test(document.cookie);
});
addEventListener("appinstalled", () => {
  if (offer) offer.hidden = true;
});
offer?.addEventListener("click", ({ target }) => {
  if (target.closest("[data-install-start]")) prompt.prompt();
  else if (target.closest("[data-install-decline]")) decline();
});
