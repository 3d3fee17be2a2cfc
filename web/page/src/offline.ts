/** The service worker of the page: keeps its files, so that it works offline. */

/** The digest of all files, which names the cache. The build defines it. */
declare const VERSION: string;
/** The names of all files. The build defines it. */
declare const FILES: readonly string[];

interface ServiceWorkerEvent extends Event {
  readonly request: Request;
  waitUntil(promise: Promise<unknown>): void;
  respondWith(response: Promise<Response>): void;
}

const CACHE = `absolve-${VERSION}`;

addEventListener("install", (event) => {
  const filled = caches.open(CACHE).then((cache) => cache.addAll([...FILES]));
  (event as ServiceWorkerEvent).waitUntil(filled);
});

addEventListener("activate", (event) => {
  const names = caches.keys().then((names) => names.filter((name) => name.startsWith("absolve-") && name !== CACHE));
  (event as ServiceWorkerEvent).waitUntil(names.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

addEventListener("fetch", (event) => {
  const { request, respondWith } = event as ServiceWorkerEvent;
  // The network first, so that a new version is seen at once.
  const response = fetch(request).catch(async () => (await caches.match(request, { ignoreSearch: true })) ?? Response.error());
  respondWith.call(event, response);
});
