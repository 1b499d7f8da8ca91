// Hostile files: each is refused or read within limits, the server is not affected, its process is gone
// afterwards, and the next honest file is read.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { FileLayer } from '#contract/vermessung-import.ts'
import { readForeign } from '../geodata/foreign.ts'
import { FileFault } from '../geodata/source.ts'
import { PhotoFault } from '../habitat/photo-work.ts'
import { createPhotoProcessor } from '../habitat/photo-processor.ts'
import { WorkFault } from '../karten/work.ts'
import { runWork } from '../karten/run-work.ts'
import { findTools } from '../karten/tools.ts'
import type { Message } from '../vermessung/work.ts'
import { closeReaders, READER_LIMITS, readersRunning } from './confined.ts'
import { DRAWINGS } from './hostile-drawings.fixture.ts'
import { GEODATA } from './hostile-geodata.fixture.ts'
import {
  ENDLESS_GPKG,
  HONEST,
  HOSTILE_DATA,
  HOSTILE_PDF,
  HOSTILE_PICTURES,
  written,
} from './hostile-files.fixture.ts'

const WORKER = new URL('../vermessung/reader-worker.ts', import.meta.url)
/** The memory limit of production; less time, so that the test ends. */
const LIMITS = { ...READER_LIMITS, cpuMs: 3_000, wallMs: 60_000 }
const MB = 2 ** 20

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const jobOf = (file: string) => ({
  datei: file,
  name: file,
  zone: 25833,
  werte: null as unknown,
  readOut: false,
})

/** Reads the summary and then the whole file, as an import does. */
async function outcome(file: string): Promise<string> {
  try {
    let layers: readonly FileLayer[] = []
    for await (const message of readForeign<Message>(WORKER, jobOf(file), { limits: LIMITS }))
      if (message.art === 'lage') layers = message.schichten
    const values = {
      modus: 'ersetzen',
      schichten: layers.map(({ name, epsg, ort }) => ({
        name,
        tabelle: 'schacht',
        epsg: epsg ?? 25833,
        felder: {},
        ort: ort ?? undefined,
      })),
    }
    for await (const message of readForeign<Message>(
      WORKER,
      { ...jobOf(file), werte: values, readOut: true },
      { limits: LIMITS },
    ))
      expect(message.art).toMatch(/^(?:zeilen|fertig)$/)
    return 'gelesen'
  } catch (error) {
    if (error instanceof FileFault) return error.code
    throw error
  }
}

/** Checks the server's own process while a file is being read beside it. */
async function unharmed<T>(work: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  const before = process.memoryUsage().rss
  let most = before
  const look = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 50)
  delay.enable()
  try {
    return await work()
  } finally {
    clearInterval(look)
    delay.disable()
    expect.soft(delay.max / 1e6, 'milliseconds that the loop stood still').toBeLessThan(2_000)
    expect.soft((most - before) / MB, 'MB that the server took for it').toBeLessThan(200)
  }
}
async function nothingLeft(): Promise<void> {
  await expect.poll(readersRunning).toBe(0)
}

describe('files of data', () => {
  test.each([...HOSTILE_DATA, ...DRAWINGS, ...GEODATA].map((file) => [file.what, file] as const))(
    '%s',
    { timeout: 180_000 },
    async (_what, file) => {
      const path = written(folder, file)
      try {
        expect(file.ends).toContain(await unharmed(() => outcome(path)))
      } finally {
        rmSync(path, { force: true })
      }
      await nothingLeft()
    },
  )
  test('an honest file is read as ever', async () => {
    expect(await outcome(written(folder, { name: 'gut.csv', bytes: () => HONEST }))).toBe('gelesen')
  })
  test('there are kinds enough of them', () =>
    expect(HOSTILE_DATA.length + HOSTILE_PICTURES.length + HOSTILE_PDF.length).toBeGreaterThan(75))
})

describe('pictures', () => {
  const workshop = createPhotoProcessor({ processes: 1, cpuMs: 10_000 })
  afterAll(() => workshop.stop())

  test.each(HOSTILE_PICTURES.map((file) => [file.what, file] as const))(
    'as a photo and as a scan: %s',
    { timeout: 180_000 },
    async (_what, file) => {
      const filePath = written(folder, file)
      const targets = { klein: `${filePath}.k`, mittel: `${filePath}.m`, gross: `${filePath}.g` }
      const limits = { timeoutMs: 30_000, memoryBytes: 1024 * MB }
      const ended = (error: unknown): string => {
        if (error instanceof PhotoFault || error instanceof WorkFault) return error.code
        throw error
      }
      const said = await unharmed(async () => [
        await workshop.draw({ filePath, targets }).then(() => 'drawn', ended),
        await runWork({ art: 'pruefen', filePath }, limits).then(() => 'looked at', ended),
        await runWork({ art: 'kacheln', filePath, ziel: `${filePath}.tif` }, limits).then(() => 'cut', ended),
      ])
      // Any of our codes, but none that blames the server.
      expect(said.join(' ')).not.toMatch(/absturz|platz/)
    },
  )
})

describe('PDF', async () => {
  const { pdftoppm } = await findTools(['/usr/bin', '/usr/local/bin'])
  test.skipIf(pdftoppm === null).each(HOSTILE_PDF.map((file) => [file.what, file] as const))(
    '%s',
    { timeout: 180_000 },
    async (_what, file) => {
      const filePath = written(folder, file)
      const work = runWork(
        { art: 'pdf', filePath, ziel: `${filePath}.png`, pdftoppm: pdftoppm! },
        { timeoutMs: 8_000, memoryBytes: 1024 * MB },
      )
      await expect(unharmed(() => work)).rejects.toMatchObject({
        code: expect.stringMatching(/^karte_(?:pdf|pixel|zeit|speicher|bild|abgeschnitten)$/) as string,
      })
      await nothingLeft()
      expect(processesNamed(filePath), 'programs that outlive their work').toEqual([])
    },
  )
})

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
/** Finds processes by their command line. */
function processesNamed(text: string): string[] {
  return readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && commandOf(pid).includes(text) && pid !== String(process.pid),
  )
}

describe.skipIf(process.platform !== 'linux')('the end of a reader', () => {
  test('it ends while it burns a core, when nobody waits any more', async () => {
    const job = jobOf(written(folder, { name: 'gut.csv', bytes: () => HONEST }))
    const gone = new AbortController()
    const reading = (async () => {
      for await (const _message of readForeign<Message>(
        new URL('./busy-reader.fixture.ts', import.meta.url),
        job,
        {
          limits: READER_LIMITS,
          signal: gone.signal,
        },
      ));
    })()
    await expect.poll(readersRunning).toBe(1)
    await sleep(500)
    gone.abort()
    await expect(reading).rejects.toThrow()
    await nothingLeft()
  })
  test('closeReaders ends all of them at once', async () => {
    const job = jobOf(written(folder, ENDLESS_GPKG))
    const reading = Promise.allSettled(
      [1, 2, 3].map(async () => {
        for await (const _message of readForeign<Message>(
          new URL('./busy-reader.fixture.ts', import.meta.url),
          job,
        ));
      }),
    )
    await expect.poll(readersRunning).toBe(3)
    await closeReaders()
    expect(readersRunning()).toBe(0)
    expect((await reading).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  })
  test.each(['SIGKILL', 'SIGTERM'] as const)('with the server: %s', { timeout: 60_000 }, async (signal) => {
    const host = spawn(process.execPath, [fileURLToPath(new URL('./host.fixture.ts', import.meta.url))], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = once(host, 'exit')
    await once(host.stdout, 'data')
    const reader = await vi.waitFor(() => {
      const [child] = childrenOf(host.pid!)
      expect(commandOf(child ?? '')).toContain('busy-reader')
      return child!
    }, 20_000)
    // Until it is deep in its endless work and no longer reacts.
    await sleep(1_500)
    host.kill(signal)
    await gone
    await expect.poll(() => commandOf(reader)).toBe('')
  })
})

const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
