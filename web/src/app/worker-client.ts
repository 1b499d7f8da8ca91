// The page's side of the service worker: registers it, looks for a newer one, and lets the waiting one in when the person says so.

const CHECK_MS = 30 * 60_000

let waiting: ServiceWorker | null = null
/** The person has said yes; the new worker takes over in a moment. */
let accepted = false
const listeners = new Set<() => void>()

export const isUpdateWaiting = (): boolean => waiting !== null
export function subscribeUpdates(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
function setWaiting(worker: ServiceWorker | null) {
  waiting = worker
  for (const listener of listeners) listener()
}

let started = false
export function startWorker() {
  if (started || !('serviceWorker' in navigator)) return
  started = true
  // Not in the way of the first page.
  const soon = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 1_500))
  soon(
    () =>
      void register().catch((error: unknown) =>
        console.warn('the service worker could not be registered', error),
      ),
    {
      timeout: 10_000,
    },
  )
}

let registered: Promise<void> | undefined
function register(): Promise<void> {
  registered ??= follow().catch((error: unknown) => {
    registered = undefined
    throw error
  })
  return registered
}

async function follow() {
  const registration = await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
  const offer = (worker: ServiceWorker | null) => {
    // The very first worker is no new version.
    if (worker?.state === 'installed' && navigator.serviceWorker.controller) setWaiting(worker)
  }
  offer(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => offer(worker))
  })
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (accepted) location.reload()
  })
  const look = () => {
    if (document.visibilityState === 'visible') void registration.update().catch(() => {})
  }
  setInterval(look, CHECK_MS)
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
}

const FIELD_MS = 60_000
/** The device is used in the field: the worker keeps the large parts that are needed there, in this version and in later ones. Rejects when it could not. */
export async function keepForField(): Promise<void> {
  if (!('serviceWorker' in navigator)) throw new Error('no service worker')
  await register()
  const { active } = await within(navigator.serviceWorker.ready)
  const { port1, port2 } = new MessageChannel()
  const answer = new Promise<{ kept: boolean; reason?: string }>((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as { kept: boolean })
  })
  active?.postMessage('feld', [port2])
  const { kept, reason } = await within(answer).finally(() => port1.close())
  if (!kept) throw new Error(reason ?? 'not kept')
}
const within = <T>(work: Promise<T>): Promise<T> =>
  Promise.race([
    work,
    new Promise<never>((_resolve, reject) =>
      setTimeout(() => reject(new Error('the service worker does not answer')), FIELD_MS),
    ),
  ])

export function acceptUpdate() {
  accepted = true
  // Another window may have let it in already: then loading anew is all there is to do.
  if (waiting === null || waiting.state === 'activated' || waiting.state === 'redundant') location.reload()
  else waiting.postMessage('jetzt')
}
