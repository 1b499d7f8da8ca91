// The service worker: keeps the application's own files, so that it starts without a connection and an open window finds its parts after a new version is out.
// It answers for nothing else: sign-in, interfaces, settings and the landing page never pass through its stores, and no answer about a person is ever kept.
// worker-plugin.ts fills in version and files.
const VERSION = '__VERSION__'
const FILES = __FILES__
const NAME = 'forstkontor-'
const STORE = NAME + VERSION

/** Never answered from a store, not even without a connection. */
const BYPASS = /^\/(?:realms|anmelden|auth-redirect|rest|prod-api|config|landing|healthz|livez|sw\.js)(?:[/?]|$)/

self.addEventListener('install', (event) => {
  // Hashed files may come from the browser's own cache; the page itself must be the present one.
  const requests = FILES.map(
    (file) => new Request(file, { cache: file.startsWith('/assets/') ? 'default' : 'reload', credentials: 'same-origin' }),
  )
  event.waitUntil(caches.open(STORE).then((store) => store.addAll(requests)))
})

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // The version before stays for windows that still run it; older ones go.
      const others = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== STORE)
      await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

// The page says when: a new version never takes over by itself while a window is open.
self.addEventListener('message', (event) => {
  if (event.data === 'jetzt') self.skipWaiting()
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || BYPASS.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request))
  else if (FILES.includes(pathname)) event.respondWith(fresh(request))
})

/** The present page as long as the server can be reached, so that a new one is never held back. */
async function page(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await (await caches.open(STORE)).match('/index.html')
    if (kept) return kept
    throw error
  }
}

/** Hashed: what is kept is right for ever. */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request)
}

async function fresh(request) {
  try {
    return await fetch(request)
  } catch (error) {
    const kept = await caches.match(request, { ignoreVary: true })
    if (kept) return kept
    throw error
  }
}
