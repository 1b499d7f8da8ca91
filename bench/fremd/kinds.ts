// What a hostile user, signed in or not, may send to make the server slow, large or silent. Each kind is one
// act, repeated many at a time for as long as the kind lasts.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DemoRole } from '../../e2e/browser.ts'
import { FORM, tryToSignIn } from '../../e2e/http-sign-in.ts'
import { ask, json, type Kind, type Stage, times, wideRowsOf } from './acts.ts'
import { DOORS } from './doors.ts'
import * as files from './files.ts'

const read = (name: string, role: DemoRole, ends: readonly number[], path: () => string): Kind => ({
  name,
  ends,
  act: (stage) => ask(stage, role, path()),
})

/** Raw bytes on its own connection; the work decides whether to read the answer. */
async function raw(stage: Stage, work: (socket: Socket) => Promise<unknown>): Promise<void> {
  const socket = connect(stage.port, '127.0.0.1')
  socket.on('error', () => undefined)
  const stop = () => socket.destroy()
  stage.signal.addEventListener('abort', stop)
  try {
    await once(socket, 'connect', { signal: stage.signal })
    await work(socket)
  } finally {
    stage.signal.removeEventListener('abort', stop)
    socket.destroy()
  }
}
const gone = (socket: Socket): Promise<unknown> =>
  socket.destroyed ? Promise.resolve() : once(socket, 'close')
const head = (stage: Stage, role: DemoRole, line: string, more = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost:${stage.port}\r\nAuthorization: Bearer ${stage.tokens[role]}\r\n${more}\r\n`

/** The file is generated when it is first sent: each kind has its own process, and most need none. */
const upload = (name: string, file: () => Buffer, ending: string): Kind => {
  const path = `/prod-api/habitat/1/import/lage?name=${encodeURIComponent(`wald.${ending}`)}`
  let body: Uint8Array<ArrayBuffer> | undefined
  return {
    name,
    ends: [422],
    act(stage) {
      body ??= new Uint8Array(file())
      return ask(stage, 'ogf_standard', path, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body,
      })
    },
  }
}

const readWide = (name: string, ends: readonly number[], query: () => string): Kind => ({
  name,
  ends,
  async act(stage) {
    await wideRowsOf(stage)
    return ask(stage, 'ogf_standard', `/rest/ansicht?${query()}`)
  },
})
const aliases = (count: number): string => `select=${times(count, (at) => `a${at}:suche`)}`

const base64url = (text: string): string => Buffer.from(text).toString('base64url')
const FORGED = (at: number): string => {
  const head = JSON.stringify({ alg: 'RS256', kid: `unknown-${at}-${Math.random()}` })
  return `${base64url(head)}.${base64url('{"sub":"x"}')}.${'A'.repeat(340)}`
}

/** A tree that the user may add photos to; looked up once per run of a kind. */
let tree: Promise<string> | undefined
async function treeOf(stage: Stage): Promise<string> {
  const answer = await fetch(`${stage.origin}/rest/habitatbaeume?select=kennung&limit=1`, {
    headers: { authorization: `Bearer ${stage.tokens['ogf_standard']}` },
    signal: stage.signal,
  })
  const rows = (await answer.json()) as { kennung: string }[]
  return rows[0]!.kennung
}
/** Announces an upload that is never sent. */
async function announce(stage: Stage, length: number): Promise<number> {
  tree ??= treeOf(stage)
  return ask(stage, 'ogf_standard', `/prod-api/habitatbaum/${await tree}/bild/${randomUUID()}/upload`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(length),
      'upload-metadata': 'filename YS5qcGc=',
    },
  })
}

/** Addresses that ask for more than is allowed. */
const TOO_MUCH: readonly (readonly [role: DemoRole, path: string])[] = [
  ['ogf_standard', `/rest/ansicht?suche=match.${encodeURIComponent(`(${'x*'.repeat(30)})*y`)}`],
  ['ogf_standard', `/rest/ansicht?select=suche${'->a'.repeat(400)}`],
  ['kundenadmin', `/rest/kunde?select=client_id,${times(352, (at) => `e${at}:hq(idHQ)`)}`],
  ['appuser', `/rest/karte?id=in.(${times(8_000, String)})`],
  ['appuser', `/rest/karte?or=${'(and('.repeat(100)}id.gt.0${'))'.repeat(100)}`],
  ['appuser', `/rest/karte?${times(500, (at) => `id=neq.${at}`, '&')}`],
]
let turn = 0

/** Either refused before SQL, or as heavy as an accepted request can be. */
export const KINDS: readonly Kind[] = [
  {
    name: 'addresses that ask for more than is allowed',
    ends: [400, 414],
    act(stage) {
      const [role, path] = TOO_MUCH[turn++ % TOO_MUCH.length]!
      return ask(stage, role, path)
    },
  },
  readWide('560 aliases of a wide column', [400], () => aliases(560)),
  readWide('as many aliases of a wide column as are allowed', [200], () => aliases(100)),
  readWide('patterns that take long, as many as are allowed', [200, 500], () =>
    times(50, () => `suche=like.${'x*'.repeat(60)}b`, '&'),
  ),
  readWide('pattern of 2,000 wildcards', [200, 500], () => `suche=like.${'x*'.repeat(2_000)}b`),
  read(
    'as many embeds as are allowed',
    'kundenadmin',
    [200],
    () => `/rest/kunde?select=client_id,${times(8, (at) => `e${at}:hq!inner(*)`)}`,
  ),
  read(
    'in.() as long as is allowed, again and again',
    'appuser',
    [200],
    () => `/rest/karte?${times(2, () => `id=in.(${times(900, String)})`, '&')}`,
  ),
  read('offset of a thousand million', 'appuser', [200], () => `/rest/karte?offset=1000000000&limit=10000`),
  read('counts of everything', 'ogf_standard', [200], () => '/rest/habitatbaeume?select=count()'),
  read('all habitat trees, again and again', 'ogf_standard', [200], () => '/rest/habitatbaeume?limit=10000'),
  read('statements that are refused', 'ogf_standard', [400], () => '/rest/kunde?client_id=eq.x'),
  {
    name: 'procedures that refuse',
    ends: [403],
    act: (stage) => ask(stage, 'ogf_init', '/rest/rpc/a_issue_invoice', json({ invoice_id: 1 })),
  },
  {
    name: 'search of words that stand everywhere',
    ends: [200],
    act: (stage) => ask(stage, 'ogf_standard', '/rest/rpc/a_suche', json({ text: 'e '.repeat(500) })),
  },
  {
    name: 'body of a million characters, nested',
    ends: [400],
    act: (stage) =>
      ask(stage, 'ogf_standard', '/rest/ansicht', json(`${'['.repeat(500_000)}${']'.repeat(500_000)}`)),
  },
  {
    name: 'body of 20,000 rows',
    ends: [400],
    act: (stage) =>
      ask(
        stage,
        'ogf_standard',
        '/rest/ansicht',
        json(Array.from({ length: 20_000 }, () => ({ liste: 'kunden', name: 'x' }))),
      ),
  },
  {
    name: 'forged tokens with keys that do not exist',
    ends: [401],
    act: (stage) => ask(stage, null, '/rest/kunde', { headers: { authorization: `Bearer ${FORGED(1)}` } }),
  },
  {
    name: 'headers a character at a time',
    ends: [],
    atOnce: 200,
    act: (stage) =>
      raw(stage, async (socket) => {
        for (const sign of head(stage, 'appuser', 'GET /rest/karte')) {
          if (socket.destroyed) return
          socket.write(sign)
          await sleep(500, undefined, { signal: stage.signal })
        }
      }),
  },
  {
    name: 'bodies that never come',
    ends: [],
    atOnce: 200,
    act: (stage) =>
      raw(stage, async (socket) => {
        socket.write(
          head(
            stage,
            'ogf_standard',
            'POST /rest/ansicht',
            'Content-Type: application/json\r\nContent-Length: 900000\r\n',
          ),
        )
        socket.resume()
        await gone(socket)
      }),
  },
  {
    name: 'pipelined requests whose answers nobody reads',
    ends: [],
    act: (stage) =>
      raw(stage, async (socket) => {
        socket.pause()
        for (let at = 0; at < 200; at++)
          socket.write(head(stage, 'ogf_standard', 'GET /rest/habitatbaeume?limit=1000'))
        await sleep(5_000, undefined, { signal: stage.signal })
      }),
  },
  {
    name: 'answers that are hung up on',
    ends: ['done'],
    act: (stage) =>
      raw(stage, async (socket) => {
        socket.write(head(stage, 'ogf_standard', 'GET /rest/habitatbaeume?limit=10000'))
        await sleep(30, undefined, { signal: stage.signal })
      }),
  },
  {
    name: 'no HTTP at all',
    ends: ['done'],
    act: (stage) =>
      raw(stage, async (socket) => {
        socket.write(Buffer.alloc(100_000, 0x16))
        socket.resume()
        await gone(socket)
      }),
  },
  upload('GeoPackage whose layers never end', files.endlessView, 'gpkg'),
  upload('GeoPackage with columns of 8 MB that are not in the file', files.generatedColumns, 'gpkg'),
  upload('GeoPackage with a virtual table', files.virtualTable, 'gpkg'),
  upload('shapefile of zip entries that overlap', () => files.overlappingZip(2_000, 64, 'shp'), 'zip'),
  upload('XLSX of zip entries that overlap', () => files.overlappingZip(500, 128, 'xml'), 'xlsx'),
  upload('GeoJSON 200,000 deep', files.deepGeojson, 'geojson'),
  upload('CSV of one line', files.longLineCsv, 'csv'),
  { name: 'uploads that are announced and left', ends: [429], act: (stage) => announce(stage, 20_000_000) },
  {
    name: 'reports of all trees',
    ends: [200],
    act: (stage) =>
      ask(
        stage,
        'ogf_standard',
        '/prod-api/habitat/1/bericht',
        json({ ids: null, filter: [], fotos: 'alle' }),
      ),
  },
  {
    name: 'exports as a table',
    ends: [200],
    act: (stage) => ask(stage, 'ogf_standard', '/prod-api/habitat/1/export/habitatbaeume.csv'),
  },
  {
    name: 'exports of the survey',
    ends: [200],
    act: (stage) => ask(stage, 'appuser', '/prod-api/vermessung/2/export/kataster.gpkg'),
  },
  {
    name: 'tiles of everything',
    ends: [200],
    act: (stage) =>
      ask(stage, 'appuser', `/prod-api/kataster/2/kachel/${Math.floor(Math.random() * 8)}/0/0.mvt`),
  },
  ...DOORS,
  {
    name: 'sign-ins with a wrong password',
    ends: ['done'],
    act: (stage) => tryToSignIn(stage.origin, `nobody-${randomUUID()}@forst.example`, 'Falsch-1234567'),
  },
  {
    name: 'resets of a password',
    ends: [429],
    act: (stage) =>
      ask(stage, null, '/anmelden/vergessen', {
        method: 'POST',
        headers: { ...FORM, origin: stage.origin },
        body: new URLSearchParams({ email: 'bodo.birke@probe.example' }),
      }),
  },
]
