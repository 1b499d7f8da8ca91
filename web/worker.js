// The service worker: keeps the application's own files, so that it starts without a connection, or over one that hangs, and an open window finds its parts after a
// new version is out. It answers for nothing else: interfaces and settings never pass through its stores, and no answer about a person is ever kept. What something
// else answers in the server's place, such as a hotel's sign-in page, is neither kept nor shown as ours.
// worker-plugin.ts fills in version and files.
const VERSION = '__VERSION__'
const FILES = __FILES__
/** Large parts that only the field mode needs: kept on devices that use it. */
const FIELD = __FIELD__
/** Where the hash of every file is, and that file's own. */
const HASHES = __HASHES__
const NAME = 'forstkontor-'
const STORE = NAME + VERSION
/** An empty store with this name: the device is used in the field, so newer versions keep those parts as well. */
const FIELD_MARK = 'feldmodus'

/** Never answered from a store, not even without a connection. */
const BYPASS =
  /^\/(?:realms|anmelden|auth-redirect|rest|prod-api|config|landing|healthz|livez|sw\.js)(?:[/?]|$)/
/** Of these, the pages: if nobody answers, the worker says so itself. */
const OWN_FAULT_PAGE = /^\/(?:realms|anmelden|auth-redirect|landing)(?:[/?]|$)/
/** Of these, what a form sends. */
const SIGN_IN = /^\/(?:realms|anmelden)(?:[/?]|$)/
/** Starts from the device where it was prepared. */
const FIELDWORK = /^\/feld(?:\/|$)/
/** Time for a page to come. Together with drawing the kept one it stays below three seconds. */
const PAGE_MS = 2000
const PART_MS = 1500
/** A page that is not kept: the worker's own is drawn at once. */
const UNKEPT_MS = 2600

self.addEventListener('install', (event) => {
  event.waitUntil(
    (async () => {
      const field = (await caches.has(FIELD_MARK)) ? FIELD : []
      await keep([...FILES, ...field])
    })(),
  )
})

/**
 * What is there already is not fetched again. Every file must have the hash that the build gave it: something on the way could answer 200 with its own page, and
 * the browser may have kept that under the file's address, so the second attempt passes its cache by.
 */
async function keep(files) {
  const store = await caches.open(STORE)
  const there = new Set((await store.keys()).map(({ url }) => new URL(url).pathname))
  const missing = files.filter((file) => !there.has(file))
  if (missing.length === 0) return
  const hashes = await (await whole(HASHES.file, HASHES.hash)).json()
  for (let at = 0; at < missing.length; at += BATCH) {
    const some = missing.slice(at, at + BATCH)
    const asked = (cache) => some.map((file) => requestOf(file, hashes[file], cache))
    await store.addAll(asked()).catch(() => store.addAll(asked('reload')))
  }
}
/** Of an installation that breaks off, whole batches are there the next time. */
const BATCH = 100
/** Hashed files may come from the browser's own cache; the page itself must be the present one. */
function requestOf(file, integrity, cache = file.startsWith('/assets/') ? 'default' : 'reload') {
  return new Request(file, { cache, credentials: 'same-origin', integrity })
}
const whole = (file, integrity) =>
  fetch(requestOf(file, integrity)).catch(() => fetch(requestOf(file, integrity, 'reload')))

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      // The version before stays for windows that still run it; older ones go.
      const others = (await caches.keys()).filter((name) => name.startsWith(NAME) && name !== STORE)
      await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)))
      await self.clients.claim()
      // Installed before the device was used in the field. Without a connection the page asks for it the next time.
      if (await caches.has(FIELD_MARK)) await keep(FIELD).catch(() => {})
    })(),
  )
})

// The page says when: a new version never takes over by itself while a window is open. And it says that the device is used in the field, and waits for the answer.
self.addEventListener('message', (event) => {
  if (event.data === 'jetzt') self.skipWaiting()
  if (event.data === 'feld') {
    const [port] = event.ports
    const kept = caches.open(FIELD_MARK).then(() => keep([...FILES, ...FIELD]))
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
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && request.mode === 'navigate' && SIGN_IN.test(pathname))
    event.respondWith(sentForm(event))
  if (request.method !== 'GET') return
  if (request.mode === 'navigate' && OWN_FAULT_PAGE.test(pathname)) event.respondWith(unkeptPage(event))
  if (BYPASS.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(event, pathname))
  else if (pathname.startsWith('/assets/')) event.respondWith(file(request))
  else if (FILES.includes(pathname)) event.respondWith(fresh(event))
})

/** Windows whose page came from the store: its parts come from there at once. */
const fromStore = new Set()

/** The present page as long as the server can be reached, so that a new one is never held back; the field mode's is the device's own. */
async function page(event, pathname) {
  const isField = FIELDWORK.test(pathname) && (await caches.has(FIELD_MARK))
  const kept = await (await caches.open(STORE)).match('/index.html')
  if (isField && kept !== undefined) {
    fromStore.add(event.resultingClientId)
    return kept
  }
  const { answer, fault } = await ask(event.request, { isOurs: isApplication })
  if (answer !== undefined) return answer
  if (kept === undefined) return faultPage(fault)
  fromStore.add(event.resultingClientId)
  return marked(kept, fault)
}

/** The kept page gets the reason why it is shown: public/anfang.js says it at once. */
async function marked(kept, { kind, status }) {
  const text = (await kept.text()).replace(
    '<html ',
    `<html data-line="${kind}"${status === undefined ? '' : ` data-line-status="${status}"`} `,
  )
  return new Response(text, { headers: kept.headers })
}

/** Sign-in and landing page: only their server has them. */
async function unkeptPage({ request }) {
  const isLanding = new URL(request.url).pathname.startsWith('/landing')
  const isOurs = isLanding ? isApplication : isNoProxyFault
  const { answer, fault } = await ask(request, { isOurs, ms: UNKEPT_MS })
  return answer ?? faultPage(fault)
}

/** What forms have sent, by address and content, and what came of it. */
const sent = new Map()
/** An answer that came too late waits so long for the person to send again. */
const LATE_ANSWER_MS = 60_000

/**
 * A form of the sign-in. If no answer comes in time, the page that says so holds what was typed, to send it again: then the first answer counts if it has come
 * meanwhile, because a code is accepted once.
 */
async function sentForm(event) {
  const { request } = event
  const type = request.headers.get('content-type') ?? ''
  const content = type.startsWith('application/x-www-form-urlencoded') ? await request.clone().text() : null
  const key = `${request.url} ${content}`
  const before = sent.get(key)
  const asking =
    before?.settled === true ? before.asking : either(before?.asking, answerOf(request, isNoProxyFault))
  const entry = { asking, settled: false }
  sent.set(key, entry)
  const forget = () => sent.get(key) === entry && sent.delete(key)
  event.waitUntil(
    asking.then(({ fault }) => {
      entry.settled = true
      if (fault === undefined) setTimeout(forget, LATE_ANSWER_MS)
      else forget()
    }),
  )
  const { answer, fault } = await inTime(asking, UNKEPT_MS)
  if (answer === undefined) return faultPage(fault, content)
  forget()
  return answer
}
/** The first of two that is an answer of the server. */
async function either(one, other) {
  if (one === undefined) return other
  const first = await Promise.race([one, other])
  return first.fault === undefined ? first : other
}

const PAST_CACHE = {
  cache: 'reload',
  credentials: 'same-origin',
  redirect: 'manual',
  headers: { accept: 'text/html' },
}
/** The server's answer, or why there is none: silent, unreachable, starting, faulty with its status, or foreign. */
const ask = (request, { isOurs, ms = PAGE_MS }) => inTime(answerOf(request, isOurs), ms)

async function inTime(asking, ms) {
  let timer
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve({ fault: { kind: 'silent' } }), ms)
  })
  try {
    return await Promise.race([asking, late])
  } finally {
    clearTimeout(timer)
  }
}

async function answerOf(request, isOurs) {
  try {
    // Without a signal: a request of a navigation takes no options.
    const answer = await fetch(request)
    const fault = await isOurs(answer)
    if (fault?.kind !== 'foreign') return fault === null ? { answer } : { fault }
    // The browser may have kept it under this address: asked past its cache, which then has the right one.
    const again = await fetch(request.url, PAST_CACHE)
    const present = await isOurs(again)
    return present === null ? { answer: again } : { fault: present }
  } catch {
    return { fault: { kind: 'unreachable' } }
  }
}

/** Our own page is known by its element for the screens. Files at a page's address, such as a picture, and refusals are what they are. */
async function isApplication(answer) {
  const { ok, status, type, headers } = answer
  // Our server leads elsewhere only if it has moved to another address.
  if (type === 'opaqueredirect') return (await isOurServer()) ? null : { kind: 'foreign' }
  const content = headers.get('content-type') ?? 'text/html'
  if (ok && !/^(?:text\/html|application\/json)/.test(content)) return null
  // Read to the end, because a line may fall silent in the middle.
  const text = await answer.clone().text()
  if (text.includes('<div id="app">')) return null
  if (isStarting(text)) return { kind: 'starting' }
  if (status >= 500 || [408, 425, 429].includes(status)) return { kind: 'faulty', status }
  return content.startsWith('text/html') ? { kind: 'foreign' } : null
}
async function isOurServer() {
  const answer = await fetch('/livez', { cache: 'no-store', redirect: 'error' }).catch(() => null)
  return (await answer?.text().catch(() => '')) === '{"status":"ok"}'
}
/** `/healthz` says it in the first way, everything else in the second. */
const isStarting = (text) => /^\{"status":\s*"starting"|"The server is starting"/.test(text)
/** Of other pages only the faults of something before the server are known. */
const isNoProxyFault = async (answer) => {
  const { status, type, headers } = answer
  // Read to the end, because a line may fall silent in the middle.
  const text = type === 'opaqueredirect' ? '' : await answer.clone().text()
  if (![502, 503, 504, 511].includes(status) || headers.has('x-request-id')) return null
  return { kind: isStarting(text) ? 'starting' : 'faulty', status }
}

const FAULT_WORDS = {
  silent: ['Der Server antwortet nicht.', 'The server does not answer.'],
  unreachable: ['Der Server ist nicht erreichbar.', 'The server cannot be reached.'],
  starting: ['Der Server startet gerade.', 'The server is just starting.'],
  faulty: ['Der Server ist gestört.', 'The server has a problem.'],
  foreign: [
    'Das Netz verlangt vielleicht eine Anmeldung: Statt Forstkontor hat etwas anderes geantwortet.',
    'The network may require a sign-in: something other than Forstkontor answered.',
  ],
}
const inHtml = (text) => text.replace(/[&<>"\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`)
/** Sends the same again, to the address of the page. */
const formAgain = (content, label) =>
  `<form method="post">${Array.from(
    new URLSearchParams(content),
    ([name, value]) => `<input type="hidden" name="${inHtml(name)}" value="${inHtml(value)}">`,
  ).join('')}<button>${label}</button></form>`

/** Where no page of the application is kept or may be shown. `content`: what a form had sent. */
function faultPage({ kind, status }, content = null) {
  const english = !self.navigator.language.startsWith('de')
  const said = (german, englishText) => (english ? englishText : german)
  const words = FAULT_WORDS[kind][english ? 1 : 0].replace(
    /\.$/,
    status === undefined ? '.' : ` (${status}).`,
  )
  const title = said('Keine Verbindung', 'No connection')
  const text = `<!doctype html>
<html lang="${said('de', 'en')}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:18vh auto 0;padding:0 1rem}a{color:inherit}button{font:inherit;padding:.5em 1em}</style></head>
<body><main><h1>${title}</h1><p role="alert">${words}</p>
<p>${
    content === null
      ? said(
          'Ihre Anmeldung und diese Adresse bleiben erhalten.',
          'You stay signed in, and this address is kept.',
        )
      : said('Was Sie eingegeben haben, ist noch da.', 'What you entered is still there.')
  }</p>
${
  content === null
    ? `<p><a href="">${said('Jetzt noch einmal versuchen', 'Try again now')}</a></p>`
    : formAgain(content, said('Noch einmal senden', 'Send again'))
}</main></body></html>`
  return new Response(text, {
    status: 503,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  })
}

/** Hashed: what is kept is right for ever. A page in the place of a file is nobody's. */
async function file(request) {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept !== undefined) return kept
  const answer = await fetch(request)
  if (!isPageInstead(answer)) return answer
  // The browser may have kept it under this address.
  const again = await fetch(new Request(request, { cache: 'reload' }))
  return isPageInstead(again) ? Response.error() : again
}
const isPageInstead = ({ ok, headers }) => ok && (headers.get('content-type') ?? '').startsWith('text/html')

/** Small files with fixed names: the kept one if the present one does not come soon. */
async function fresh({ request, clientId }) {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept !== undefined && fromStore.has(clientId)) return kept
  const asked = fetch(request).then((answer) => {
    if (kept !== undefined && (!answer.ok || isPageInstead(answer))) throw new Error('not the file')
    return answer
  })
  if (kept === undefined) return asked
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), PART_MS))
  return Promise.race([asked.catch(() => kept), late])
}
