// For reads outside the query client, such as the chunks of an export: retries after the delay the server
// asks for.
import { mayRetry, retryDelayMs, tellWaiting } from './patience.ts'

export async function readPatiently<T>(read: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await read()
    } catch (error) {
      if (!mayRetry(failures, error)) throw error
      tellWaiting(error)
      await waited(retryDelayMs(error), signal)
    }
  }
}

const waited = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
