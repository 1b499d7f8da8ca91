// The service worker: keeps the application's own files, so that it starts without a connection and an open window finds its parts after a new version is out.
// It answers for nothing else: sign-in, interfaces, settings and the landing page never pass through its stores, and no answer about a person is ever kept.
// worker-plugin.ts fills in version and files.
const VERSION = '__VERSION__'
const FILES = __FILES__
/** Large parts that only the field mode needs: kept on devices that use it. */
const FIELD = __FIELD__
const NAME = 'forstkontor-'
const STORE = NAME + VERSION
/** An empty store with this name: the device is used in the field, so newer versions keep those parts as well. */
const FIELD_MARK = 'feldmodus'

/** Never answered from a store, not even without a connection. */
const BYPASS =
  /^\/(?:realms|anmelden|auth-redirect|rest|prod-api|config|landing|healthz|livez|sw\.js)(?:[/?]|$)/

self.addEventListener('install', (event) => {
  // Hashed files may come from the browser's own cache; the page itself must be the present one.
  const requests = FILES.map(
    (file) =>
      new Request(file, {
        cache: file.startsWith('/assets/') ? 'default' : 'reload',
        credentials: 'same-origin',
      }),
  )
  event.waitUntil(
    (async () => {
      await (await caches.open(STORE)).addAll(requests)
      if (await caches.has(FIELD_MARK)) await keepField()
    })(),
  )
})

/** What is there already is not fetched again. */
async function keepField() {
  const store = await caches.open(STORE)
  const missing = []
  for (const file of FIELD)
    if (!(await store.match(file))) missing.push(new Request(file, { credentials: 'same-origin' }))
  await store.addAll(missing)
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // The version before stays for windows that still run it; older ones go.
      const others = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== STORE)
      await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
      await self.clients.claim()
      // Installed before the device was used in the field. Without a connection the page asks for it the next time.
      if (await caches.has(FIELD_MARK)) await keepField().catch(() => {})
    })(),
  )
})

// The page says when: a new version never takes over by itself while a window is open. And it says that the device is used in the field, and waits for the answer.
self.addEventListener('message', (event) => {
  if (event.data === 'jetzt') self.skipWaiting()
  if (event.data === 'feld') {
    const [port] = event.ports
    const kept = caches.open(FIELD_MARK).then(keepField)
    event.waitUntil(
      kept.then(
        () => port?.postMessage({ kept: true }),
        (error) => port?.postMessage({ kept: false, reason: String(error) }),
      ),
    )
  }
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
