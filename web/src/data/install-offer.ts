// Catches the browser's offer to install the application on the home screen. It comes once and early, long
// before the page that shows it is loaded.

interface InstallEvent extends Event {
  prompt: () => Promise<unknown>
}
let offer: InstallEvent | null = null
let installed = false
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** Called at app start. */
export function catchInstallOffer() {
  window.addEventListener('beforeinstallprompt', (event) => {
    offer = event as InstallEvent
    tell()
  })
  window.addEventListener('appinstalled', () => {
    offer = null
    installed = true
    tell()
  })
}
export const hasInstallOffer = (): boolean => offer !== null
export const wasInstalled = (): boolean => installed
export function subscribeInstallOffer(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
/** Shows the browser's install prompt, once per offer. */
export async function takeInstallOffer(): Promise<void> {
  const asked = offer
  offer = null
  await asked?.prompt()
  tell()
}
