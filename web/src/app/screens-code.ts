// The code of the screens, which the entry waits for.
import { keepTrying } from './keep-trying.ts'
import { PassingFault } from './passing.ts'

/** Longer than a slow line takes; what comes later is taken all the same. */
const LIMIT_MS = 20_000
const LOOK_LIMIT_MS = 5_000

/** While a part is on its way, asking for it again is waiting for the same one. */
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

/** Some browsers keep the failure of a part for as long as the page lives. Only where the page itself is to be had: otherwise it would be lost as well. */
async function reloadIfThere(): Promise<void> {
  // Asked for as a page: to another kind of request the server answers that there is no such file.
  const headers = { accept: 'text/html' }
  const signal = AbortSignal.timeout(LOOK_LIMIT_MS)
  const answer = await fetch(location.href, { method: 'HEAD', headers, cache: 'no-store', signal }).catch(
    () => null,
  )
  if (answer?.ok) location.reload()
}

export const screensCode = <T>(load: () => Promise<T>): Promise<T> =>
  keepTrying('code', () => inTime(load), { meanwhile: () => loading, renew: reloadIfThere })
