// Builds and serves the page of 10,000 rows (rows/) like the real build: minified, compressed, one answer
// with all rows.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'vite'
import { SHORT } from '../extent.ts'

export const ROWS = SHORT ? 500 : 10_000
const ROOT = join(import.meta.dirname, 'rows')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

const SYLLABLES = [
  'Al',
  'Ber',
  'Dorn',
  'Eich',
  'Forst',
  'Gut',
  'Hain',
  'Öl',
  'Rot',
  'Stein',
  'Tann',
  'Übel',
  'Wald',
  'Zell',
]
const KINDS = ['Betrieb', 'Gemeinde', 'Genossenschaft', 'Verein']
/** The same rows each time, unsorted. */
export const rows = Array.from({ length: ROWS }, (_, nr) => {
  const at = (nr * 7_919) % ROWS
  const syllable = (step: number) => SYLLABLES[(Math.floor(at / step) + nr) % SYLLABLES.length]!
  return {
    id: nr + 1,
    name: `${syllable(3)}${syllable(5).toLowerCase()} ${at}`,
    ort: `${syllable(7)}${syllable(11).toLowerCase()}`,
    art: KINDS[at % 4]!,
    flaeche: at % 10 === 0 ? null : at / 4,
    seit: `20${String(10 + (at % 16)).padStart(2, '0')}-0${1 + (at % 9)}-1${at % 10}`,
  }
})

export interface RowsPage {
  readonly origin: string
  close(): void
}

export async function serveRows(): Promise<RowsPage> {
  const dist = mkdtempSync(join(tmpdir(), 'forstkontor-zeilen-'))
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    build: { outDir: dist, emptyOutDir: true },
  })
  const compress = (body: Buffer) =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
  const answers = new Map<string, Buffer>([['/zeilen.json', compress(Buffer.from(JSON.stringify(rows)))]])
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const file = path.startsWith('/assets/') || path === '/zeilen.json' ? path : '/index.html'
    const body = answers.get(file) ?? compress(readFileSync(join(dist, file)))
    answers.set(file, body)
    response
      .setHeader('content-type', TYPES[extname(file)] ?? 'application/json')
      .setHeader('content-encoding', 'br')
      .end(body)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const close = () => {
    server.close()
    rmSync(dist, { recursive: true, force: true })
  }
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
