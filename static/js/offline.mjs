// The page for when there is no network: shows "My games" as offline_worker.js kept it.

const GAMES = "pli-games-";
const DAY = 24 * 60 * 60 * 1000; // milliseconds

const root = document.querySelector("[data-offline]");
const part = (name) => root.querySelector(`[data-offline-${name}]`);

// What is older than any session is not shown: nobody could have signed out meanwhile.
async function lastSeen() {
  const names = (await caches.keys()).filter((name) => name.startsWith(GAMES));
  const answer = names.length === 1 && (await caches.match("/", { cacheName: names[0] }));
  if (!answer) return null;
  const seen = new Date(answer.headers.get("Pli-Seen"));
  if (Date.now() - seen > root.dataset.days * DAY) {
    await caches.delete(names[0]);
    return null;
  }
  return { seen, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

// Nothing can be done from here, and how far ahead a deadline lies has changed: its time is shown.
function freeze(group) {
  for (const control of group.querySelectorAll("button, form")) control.remove();
  for (const image of group.querySelectorAll("img")) image.loading = "eager";
  for (const due of group.querySelectorAll("[data-due]")) {
    const time = due.parentElement.querySelector("time");
    time.textContent = time.textContent.replace(/[()]/g, "");
    due.replaceWith(`${root.dataset.due} `);
  }
  return group;
}

async function show() {
  const last = await lastSeen();
  const groups = [...(last?.page.querySelectorAll("#my-games .game-group") ?? [])].map(freeze);
  part("unknown").hidden = last !== null;
  part("none").hidden = last === null || groups.length > 0;
  if (last === null) return;
  const { lang } = document.documentElement;
  const language = lang === "en" ? "en-GB" : lang; // 23 November 2026, as on all pages
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" });
  const time = part("seen").querySelector("time");
  time.dateTime = last.seen.toISOString();
  time.textContent = format.format(last.seen);
  part("seen").hidden = false;
  part("games").replaceChildren(...groups);
  // A filtered list says so: "2 of 6 games."
  const found = last.page.querySelector("#games-found");
  found?.querySelector("a")?.remove();
  if (found?.textContent.trim()) part("games").prepend(found);
}

part("elsewhere").hidden = location.pathname === "/";
// A network is not yet a server that answers.
addEventListener("online", async () => {
  for (let tries = 0; tries < 30; tries++) {
    const answer = await fetch("/healthz").catch(() => null);
    if (answer?.ok) {
      location.reload();
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
});
await show();
root.removeAttribute("aria-busy");
