// Part of the service worker: shows what the server pushes (notifications/push/sending.py).

self.addEventListener("push", (event) => {
  const { title, body, lang, icon, tag, url } = event.data.json();
  const shown = self.registration.showNotification(title, {
    body,
    lang,
    tag, // replaces the one before about the same game
    renotify: true, // and is heard again
    icon,
    data: { url },
  });
  event.waitUntil(shown);
});

async function openPage(path) {
  const { href } = new URL(path, self.location.origin);
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = tabs.find((tab) => tab.url.split(/[?#]/)[0] === href);
  return open ? open.focus() : self.clients.openWindow(href);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});
