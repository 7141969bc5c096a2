{% load static %}{% if is_on %}// The service worker of the site.
self.PLI = { version: "{{ version }}", signOut: "{% url 'account_logout' %}" };
importScripts("{% static 'js/offline_worker.js' %}", "{% static 'js/push_worker.js' %}");
{% else %}// The host has switched the service worker off (PLI_SERVICE_WORKER): this one removes itself.
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  async function leave() {
    for (const name of await caches.keys()) await caches.delete(name);
    await registration.unregister();
  }
  event.waitUntil(leave());
});
{% endif %}
