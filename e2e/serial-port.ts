// A serial port of the browser's that plays a recorded receiver: the port is the machine's edge, and no machine that
// runs these tests has one. Times and days of the sentences are those of now, as a receiver would send them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const RECORDINGS = join(import.meta.dirname, '../domain/gnss/recordings')

interface Played {
  /** Moments of the recording, each as characters of one byte. */
  readonly moments: readonly string[]
}
/** Cut before each RMC, with which this receiver begins a moment. */
const momentsOf = (name: string): readonly string[] =>
  readFileSync(join(RECORDINGS, `${name}.nmea`), 'latin1').split(/(?=\$GNRMC,)/)

function install({ moments }: Played) {
  let feed: ReadableStreamDefaultController<Uint8Array> | null = null
  let timer = 0
  let at = 0
  const two = (value: number) => String(value).padStart(2, '0')
  function stamped(sentence: string, now: Date): string {
    const time = `${two(now.getUTCHours())}${two(now.getUTCMinutes())}${two(now.getUTCSeconds())}.00`
    const day = `${two(now.getUTCDate())}${two(now.getUTCMonth() + 1)}${two(now.getUTCFullYear() % 100)}`
    const text = sentence.replace(/\d{6}\.00,/, `${time},`).replace('281126', day)
    let sum = 0
    for (const letter of text) sum ^= letter.charCodeAt(0)
    return `$${text}*${sum.toString(16).toUpperCase().padStart(2, '0')}\r\n`
  }
  function play() {
    const now = new Date()
    // The last moment goes on.
    const moment = moments[Math.min(at++, moments.length - 1)]!
    const text = moment.replace(/\$(\w+,[^*\r]*)\*..\r\n/g, (_all, sentence: string) =>
      stamped(sentence, now),
    )
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0))
    for (let from = 0; from < bytes.length; from += 61) feed?.enqueue(bytes.slice(from, from + 61))
  }
  class Port extends EventTarget {
    readable: ReadableStream<Uint8Array> | null = null
    getInfo = () => ({ usbVendorId: 0x1546, usbProductId: 0x01a9 })
    open = ({ baudRate }: { baudRate: number }) => {
      if (this.readable !== null) return Promise.reject(new DOMException('open', 'InvalidStateError'))
      if (sessionStorage.getItem('test-anschluss') === 'weg') {
        sessionStorage.setItem('test-abgewiesen', 'ja')
        return Promise.reject(new DOMException('gone', 'NetworkError'))
      }
      this.readable = new ReadableStream({
        start: (controller) => {
          feed = controller
        },
        cancel: () => {
          feed = null
        },
      })
      at = Math.min(at, moments.length - 1)
      clearInterval(timer)
      timer = window.setInterval(() => {
        // Another speed is noise.
        if (baudRate !== 115_200)
          feed?.enqueue(Uint8Array.from({ length: 90 }, (_none, nr) => (nr * 37) & 0xff))
        else if (sessionStorage.getItem('test-anschluss') !== 'still') play()
      }, 1_000)
      return Promise.resolve()
    }
    close = () => {
      this.readable = null
      return Promise.resolve()
    }
  }
  const port = new Port()
  class Serial extends EventTarget {
    requestPort = () => {
      localStorage.setItem('test-anschluss', 'erlaubt')
      return Promise.resolve(port)
    }
    getPorts = () => Promise.resolve(localStorage.getItem('test-anschluss') === 'erlaubt' ? [port] : [])
  }
  Object.defineProperty(navigator, 'serial', { value: new Serial(), configurable: true })
  addEventListener('test-anschluss', (event) => {
    const { detail } = event as CustomEvent<string>
    sessionStorage.setItem('test-anschluss', detail)
    if (detail !== 'weg') return
    port.readable = null
    feed?.error(new DOMException('The device has been lost.', 'NetworkError'))
  })
}

export const withSerialPort = (context: BrowserContext, recording: string): Promise<unknown> =>
  context.addInitScript(install, { moments: momentsOf(recording) } satisfies Played)
/** da: it plays. still: it says nothing. weg: it was pulled out. */
export const setPort = (page: Page, state: 'da' | 'still' | 'weg'): Promise<void> =>
  page.evaluate((detail) => void dispatchEvent(new CustomEvent('test-anschluss', { detail })), state)
