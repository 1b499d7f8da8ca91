// The page's side of the service worker: registers it, checks for a newer one, and activates the waiting one
// when the user agrees.

const CHECK_MS = 30 * 60_000

let waiting: ServiceWorker | null = null
/** The user has agreed; the new worker is about to take over. */
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
  // Deferred, so that it does not delay the first page.
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
    // The very first worker is not an update.
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
/**
 * For field devices: makes the worker cache the large files that the field mode needs, in this and later
 * versions. Rejects if that failed.
 */
export async function keepForField(): Promise<void> {
  if (!('serviceWorker' in navigator)) throw new Error('no service worker')
  // Over a line that hangs, the registration itself never ends.
  await within(register())
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
  // If another window has already activated it, only a reload is needed.
  if (waiting === null || waiting.state === 'activated' || waiting.state === 'redundant') location.reload()
  else waiting.postMessage('jetzt')
}
