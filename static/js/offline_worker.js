// Part of the service worker: pages while there is no network.
//
// Two kinds of caches: the page /offline/ with the files that it links, for one release; and for
// one user "My games" as last seen with its drawings. The header Pli-User of each page says who is
// signed in, and what was kept for anybody else is deleted before that page is shown.
{
  const { version, signOut } = self.PLI;
  const HOME = "/";
  const OFFLINE = "/offline/";
  const PAGES = "pli-offline-";
  const PAGE = `${PAGES}${version}`;
  const GAMES = "pli-games-";
  const MOST_DRAWINGS = 30;

  const offlineClients = new Set(); // the pages that show /offline/
  let reader; // who was signed in at the newest page; null: nobody

  const userOf = (answer) => answer.headers.get("Pli-User");
  const languageOf = (answer) => answer?.headers.get("Content-Language");
  const addressesIn = (html, pattern) => [...new Set([...html.matchAll(pattern)].map((m) => m[1]))];

  // An error of the server, a redirect, a picture or a file says nothing of who is signed in.
  function isPage(answer) {
    const type = answer.headers.get("Content-Type") ?? "";
    return answer.status < 500 && type.startsWith("text/html");
  }

  function kept(path) {
    return caches.match(path, { cacheName: PAGE, ignoreVary: true });
  }

  async function forgetOthers(user) {
    reader = user;
    for (const name of await caches.keys()) {
      if (name.startsWith(GAMES) && name !== `${GAMES}${user}`) await caches.delete(name);
    }
  }

  async function keepOfflinePage() {
    const answer = await fetch(OFFLINE);
    if (!answer.ok) throw new Error(`${OFFLINE}: ${answer.status}`);
    await forgetOthers(userOf(answer));
    const html = await answer.clone().text();
    const cache = await caches.open(PAGE);
    await cache.addAll(addressesIn(html, /(?:href|src)="(\/static\/[^"]+)"/g));
    await cache.put(OFFLINE, answer);
  }

  async function keepGames(answer) {
    const cache = await caches.open(`${GAMES}${userOf(answer)}`);
    const html = await answer.text();
    const headers = { "Content-Type": "text/html", "Pli-Seen": new Date().toISOString() };
    await cache.put(HOME, new Response(html, { headers }));
    const drawings = addressesIn(html, /src="(\/boards\/[^"]+)"/g).slice(0, MOST_DRAWINGS);
    const known = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
    for (const path of known) {
      if (path !== HOME && !drawings.includes(path)) await cache.delete(path, { ignoreVary: true });
    }
    // A drawing that cannot be had is left out.
    await Promise.allSettled(
      drawings.filter((path) => !known.has(path)).map((path) => cache.add(path)),
    );
    if (languageOf(answer) !== languageOf(await kept(OFFLINE))) await keepOfflinePage();
  }

  // The page on which somebody signed in was shown before there was a worker.
  async function keepFirstGames() {
    if (reader === null || (await caches.has(`${GAMES}${reader}`))) return;
    const answer = await fetch(HOME);
    if (answer.ok && userOf(answer) === reader) await keepGames(answer);
  }

  async function showPage(event) {
    let answer;
    try {
      answer = (await event.preloadResponse) ?? (await fetch(event.request));
    } catch {
      offlineClients.add(event.resultingClientId);
      return (await kept(OFFLINE)) ?? Response.error();
    }
    if (!isPage(answer)) return answer;
    await forgetOthers(userOf(answer));
    const isHome = new URL(event.request.url).pathname === HOME;
    if (isHome && answer.ok && reader !== null) event.waitUntil(keepGames(answer.clone()));
    return answer;
  }

  async function showFile(request) {
    return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
  }

  addEventListener("install", (event) => {
    skipWaiting();
    event.waitUntil(keepOfflinePage().then(() => keepFirstGames().catch(() => {})));
  });

  addEventListener("activate", (event) => {
    async function takeOver() {
      for (const name of await caches.keys()) {
        if (name.startsWith(PAGES) && name !== PAGE) await caches.delete(name);
      }
      await registration.navigationPreload?.enable();
      await clients.claim();
    }
    event.waitUntil(takeOver());
  });

  // Nothing but pages is answered here, so that the worker costs other requests nothing.
  addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method === "POST" && new URL(request.url).pathname === signOut) {
      event.waitUntil(forgetOthers(null)); // at once: the answer may never come
    } else if (request.method !== "GET") {
      return;
    } else if (request.mode === "navigate" && request.destination === "document") {
      event.respondWith(showPage(event));
    } else if (offlineClients.has(event.clientId)) {
      event.respondWith(showFile(request));
    }
  });
}
