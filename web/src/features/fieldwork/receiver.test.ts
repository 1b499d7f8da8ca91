// The line to a receiver: what is read, what is reported when it is silent, unreadable, pulled out or
// switched.
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { chooseReceiver, connectAgain, listen } from './receiver.ts'
import { forgetReceiver, hearReceiver, receiverStatus } from './receiver-status.ts'
import type { PortInfo } from './web-serial.ts'

const RECORDED = readFileSync(new URL('../../../../domain/gnss/recordings/rtk.nmea', import.meta.url))
const SETTINGS = { source: 'usb', speed: 115_200, antenna: 0 } as const

class Port extends EventTarget {
  readable: ReadableStream<Uint8Array> | null = null
  feed: ReadableStreamDefaultController<Uint8Array> | null = null
  opened: number[] = []
  isGone = false
  readonly info: PortInfo
  constructor(info: PortInfo = { usbVendorId: 1 }) {
    super()
    this.info = info
  }
  getInfo() {
    return this.info
  }
  open({ baudRate }: { baudRate: number }) {
    if (this.readable !== null || this.isGone)
      return Promise.reject(new DOMException('', 'InvalidStateError'))
    this.opened.push(baudRate)
    this.anew()
    return Promise.resolve()
  }
  anew() {
    this.readable = new ReadableStream({ start: (controller) => void (this.feed = controller) })
  }
  async close() {
    await Promise.resolve()
    this.readable = null
  }
  send(bytes: Uint8Array) {
    this.feed!.enqueue(bytes)
  }
}
class Serial extends EventTarget {
  known: Port[] = []
  asked: unknown[] = []
  requestPort(options?: unknown) {
    this.asked.push(options)
    const [port] = this.known
    return port === undefined
      ? Promise.reject(new DOMException('none chosen', 'NotFoundError'))
      : Promise.resolve(port)
  }
  getPorts = () => Promise.resolve(this.known)
}

let serial: Serial
let end: (() => void) | null = null
const begin = (settings = SETTINGS as Parameters<typeof listen>[0]) => {
  end?.()
  forgetReceiver()
  end = listen(settings, hearReceiver)
}
const line = () => receiverStatus.now().line
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearInterval', 'clearTimeout', 'performance'] })
  serial = new Serial()
  vi.stubGlobal('navigator', { serial })
})
afterEach(async () => {
  end?.()
  end = null
  await tick()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('a line', () => {
  test('is opened at its speed and tells the newest fix', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    expect(line()).toBe('verbindet')
    await tick()
    port.send(RECORDED)
    await tick()
    expect(port.opened).toEqual([115_200])
    expect(receiverStatus.now()).toMatchObject({
      line: 'liest',
      fix: { type: 'rtk_fixed', satellites: 28 },
      place: { lat: expect.closeTo(53.4, 6), solution: { type: 'rtk_fixed', estimated: false } },
    })
  })
  test('that says nothing for four seconds is silent, and heard again at once', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    port.send(RECORDED)
    await tick(3_000)
    expect(line()).toBe('liest')
    await tick(2_000)
    expect(line()).toBe('stumm')
    expect(receiverStatus.now().fix, 'the last one is still known').not.toBeNull()
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
  })
  test('with bytes that are no sentences is unreadable', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    for (let second = 0; second < 6; second++) {
      port.send(Uint8Array.from({ length: 80 }, (_none, at) => (at * 91) & 0xff))
      await tick(1_000)
    }
    expect(line()).toBe('unlesbar')
  })
  test('with the wrong speed fails at every byte, and is called unreadable instead of gone', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    for (let nr = 0; nr < 200; nr++) {
      const failed = port.feed!
      port.anew()
      failed.error(new DOMException('', 'FramingError'))
      await tick(60)
    }
    expect(line()).toBe('unlesbar')
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
  })
  test('that was just switched on sends sentences without a time, and has no place yet', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    for (let second = 0; second < 6; second++) {
      port.send(Buffer.from('$GNGGA,,,,,,0,00,99.99,,,,,,*56\r\n'))
      await tick(1_000)
    }
    expect(line()).toBe('ohne_fix')
  })
  test('that fails once gets a new stream and goes on; one that always fails is given up', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    const failed = port.feed!
    port.anew()
    failed.error(new DOMException('', 'FramingError'))
    await tick(100)
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
    port.feed!.error(new DOMException('', 'NetworkError'))
    await tick(10_000)
    expect(line()).toBe('getrennt')
    expect(port.readable, 'closed').toBeNull()
  })
  test('that was pulled out begins again when it is plugged in, or when the person asks', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    const pullOut = async () => {
      const { feed } = port
      port.readable = null
      feed!.error(new DOMException('', 'NetworkError'))
      await tick(200)
      expect(line()).toBe('getrennt')
    }
    await pullOut()
    serial.dispatchEvent(new Event('connect'))
    await tick()
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
    await pullOut()
    port.isGone = true
    connectAgain()
    await tick()
    expect(line()).toBe('getrennt')
    port.isGone = false
    connectAgain()
    await tick()
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
  })
  test('is closed before it is opened at another speed', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    begin({ ...SETTINGS, speed: 9_600 })
    await tick()
    expect(port.opened).toEqual([115_200, 9_600])
    port.send(RECORDED)
    await tick()
    expect(line()).toBe('liest')
  })
  test('ended, nothing is told any more', async () => {
    const port = new Port()
    serial.known = [port]
    begin()
    await tick()
    end!()
    await tick(10_000)
    expect(line()).toBe('verbindet')
    expect(port.readable).toBeNull()
  })
})

describe('the port', () => {
  test('is the one known of its kind; of none or several nobody knows which', async () => {
    const [cable, air] = [new Port(), new Port({ bluetoothServiceClassId: 'x' })]
    serial.known = [air, cable]
    begin()
    await tick()
    expect([cable.opened, air.opened]).toEqual([[115_200], []])
    serial.known = [new Port(), new Port()]
    begin()
    await tick()
    expect(line()).toBe('getrennt')
    serial.known = []
    begin()
    await tick()
    expect(line()).toBe('getrennt')
  })
  test('a browser without Web Serial has none', () => {
    vi.stubGlobal('navigator', {})
    begin()
    expect(line()).toBe('getrennt')
  })
  test('nobody has to choose one, and of Bluetooth only serial ports are shown', async () => {
    expect(await chooseReceiver('usb')).toBe(false)
    serial.known = [new Port()]
    expect(await chooseReceiver('bluetooth')).toBe(true)
    expect(serial.asked).toEqual([
      undefined,
      { filters: [{ bluetoothServiceClassId: '00001101-0000-1000-8000-00805f9b34fb' }] },
    ])
  })
})
