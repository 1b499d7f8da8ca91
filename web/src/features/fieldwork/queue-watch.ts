// Tells every window of this device that shows the queue when it changes.
const CHANNEL = 'forstkontor-feld'
const listeners = new Set<() => void>()
let channel: BroadcastChannel | null = null
export function watch(listener: () => void): () => void {
  if (channel === null && typeof BroadcastChannel === 'function') {
    channel = new BroadcastChannel(CHANNEL)
    // In Node, an open channel would keep the process alive.
    ;(channel as { unref?: () => void }).unref?.()
    channel.addEventListener('message', () => listeners.forEach((one) => one()))
  }
  listeners.add(listener)
  return () => listeners.delete(listener)
}
export function notifyChanged() {
  for (const listener of listeners) listener()
  channel?.postMessage('geaendert')
}
/** Tells of a piece of work once it is done. */
export async function changing<T>(work: Promise<T>): Promise<T> {
  const made = await work
  notifyChanged()
  return made
}
