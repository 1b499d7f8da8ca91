// Loads the screens' code for the entry.
import { keepTrying } from './keep-trying.ts'
import { PassingFault } from './passing.ts'

/** More than a slow connection needs; code that arrives later is still used. */
const LIMIT_MS = 20_000
const LOOK_LIMIT_MS = 5_000

/** The pending import: importing again would only wait for the same request. */
let loading: Promise<unknown> | undefined

async function inTime<T>(load: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  let hangs = false
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      hangs = true
      reject(new Error('no answer'))
    }, LIMIT_MS)
  })
  const asked = load()
  loading = asked
  try {
    return await Promise.race([asked, late])
  } catch (cause) {
    if (!hangs) loading = undefined
    throw new PassingFault(
      { kind: 'unreachable', detail: `code: ${hangs ? 'timeout' : 'fault'}`, hangs },
      cause,
    )
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Some browsers cache a failed import for the lifetime of the page, so it is reloaded; only if the page can
 * be loaded, because otherwise it would be lost too.
 */
async function reloadIfThere(): Promise<void> {
  // Requested as a page, because for other requests the server answers that there is no such file.
  const headers = { accept: 'text/html' }
  const signal = AbortSignal.timeout(LOOK_LIMIT_MS)
  const answer = await fetch(location.href, { method: 'HEAD', headers, cache: 'no-store', signal }).catch(
    () => null,
  )
  if (answer?.ok) location.reload()
}

export const screensCode = <T>(load: () => Promise<T>): Promise<T> =>
  keepTrying('code', () => inTime(load), { meanwhile: () => loading, renew: reloadIfThere })
