// A rescue file read back in by somebody else: everything is there once, whatever was sent before or after.
import 'fake-indexeddb/auto'
import { zipSync } from 'fflate'
import { afterEach, describe, expect, test } from 'vitest'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { zip } from '../../ui/export/zip.ts'
import { unsent } from './capture.ts'
import { deleteFieldworkDb, type FieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { breakingAt, ModelServer, sha256, tokenFor } from './fieldwork-model.fixture.ts'
import { fetchQueue } from './queue-read.ts'
import { rememberDraft, rememberImage, saveChange, saveNew } from './queue.ts'
import { rescueFile } from './rescue.ts'
import { fillQueue, readRescue, rescueStateOf } from './rescue-read.ts'
import { syncAll } from './sync.ts'
import { createTransport } from './sync-transport.ts'

const NOW = new Date('2026-11-22T09:00:00Z')
const [PERSON, STAFF] = ['person-1', 'verwaltung-1']
const [TREE, OTHER, PHOTO] = [
  '11111111-1111-4111-8111-111111111111',
  '22222222-2222-4222-8222-222222222222',
  '33333333-3333-4333-8333-333333333333',
]
const VALUES = {
  ...toTreeValues(FIRST_VALUES),
  art: 'bu' as const,
  erfasst_am: '2026-11-22',
  lon: 9,
  lat: 51,
}
const BYTES = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 31) % 256)

const names = new Set<string>()
afterEach(async () => {
  for (const name of names) await deleteFieldworkDb(name)
  names.clear()
})
const open = (name: string): Promise<FieldworkDb> => {
  names.add(name)
  return openFieldworkDb({ name })
}
async function filledDevice(): Promise<FieldworkDb> {
  const db = await open('rettung-geraet')
  const tree = (identifier: string, treeNumber: string) => ({
    sub: PERSON,
    kennung: identifier,
    idHQ: 11,
    werte: { ...VALUES, nummer: treeNumber },
    entwurf: 'x',
    ersatz: 'y',
    present: NOW,
  })
  await saveNew(db, tree(TREE, '1'))
  await saveNew(db, tree(OTHER, '2'))
  await rememberImage(db, {
    sub: PERSON,
    kennung: PHOTO,
    baum: TREE,
    idHQ: 11,
    stand: 'wartet',
    original: new Blob([BYTES]),
    sha256: sha256(BYTES),
    groesse: BYTES.length,
    typ: 'image/jpeg',
    name: 'Stamm.jpg',
    vorschau: null,
    aufgenommen_am: NOW.toISOString(),
    bemerkung: null,
    ...unsent(NOW.toISOString()),
  })
  await rememberDraft(db, {
    sub: PERSON,
    name: 'neu',
    kennung: 'form',
    idHQ: 11,
    werte: {},
    am: NOW.toISOString(),
  })
  return db
}
const sendAll = (db: FieldworkDb, sub: string, server: ModelServer) =>
  syncAll({
    db,
    sub,
    signal: new AbortController().signal,
    present: () => NOW,
    weg: createTransport(sub, {
      dataApi: 'https://x.test/rest',
      generalApi: 'https://x.test/api',
      token: () => tokenFor(sub),
      renew: async () => false,
      fetch: breakingAt(server, -1).fetch,
    }),
  })
async function readIn(file: Blob, server: ModelServer, name: string) {
  const db = await open(name)
  await fillQueue(db, await readRescue(file, STAFF))
  const summary = await sendAll(db, STAFF, server)
  const left = await fetchQueue(db, STAFF)
  db.close()
  return { summary, left }
}

describe('a rescue file', () => {
  test('read twice, and sent by the device as well: every tree and photo is there once', async () => {
    const device = await filledDevice()
    const { datei } = await rescueFile(device, PERSON, NOW)
    const server = new ModelServer()
    const first = await readIn(datei, server, 'rettung-1')
    expect(first.summary).toEqual({ baeume: 2, bilder: 1, konflikte: 0, abgelehnt: 0 })
    expect([first.left.erfassungen, first.left.bilder]).toEqual([[], []])
    expect([server.baeume.size, server.bilder.size]).toEqual([2, 1])
    await readIn(datei, server, 'rettung-2')
    expect((await sendAll(device, PERSON, server)).konflikte).toBe(0)
    expect([server.baeume.size, server.bilder.size]).toEqual([2, 1])
    expect((await fetchQueue(device, PERSON)).erfassungen).toEqual([])
    device.close()
  })
  test('a photo of a form that was never saved is not sent', async () => {
    const device = await filledDevice()
    const [image] = (await fetchQueue(device, PERSON)).bilder
    const draft = { kennung: OTHER, baum: crypto.randomUUID(), stand: 'entwurf' } as const
    await rememberImage(device, { ...image!, original: new Blob([BYTES]), ...draft })
    const { datei } = await rescueFile(device, PERSON, NOW)
    const content = await readRescue(datei, PERSON)
    expect([content.bilder.map(({ kennung }) => kennung), content.unreadable, content.fehlend]).toEqual([
      [PHOTO],
      0,
      [],
    ])
    device.close()
  })
  test('what the device sent before, and changed then, is not changed back', async () => {
    const device = await filledDevice()
    const { datei } = await rescueFile(device, PERSON, NOW)
    const server = new ModelServer()
    await sendAll(device, PERSON, server)
    await saveChange(device, { sub: PERSON, kennung: TREE, werte: { nummer: '1 b' }, present: NOW })
    await sendAll(device, PERSON, server)
    await readIn(datei, server, 'rettung-3')
    expect(server.baeume.get(TREE)?.nummer).toBe('1 b')
    expect([server.baeume.size, server.bilder.size]).toEqual([2, 1])
    device.close()
  })
  test('a broken line in the middle: read again, the rest is sent', async () => {
    const device = await filledDevice()
    const { datei } = await rescueFile(device, PERSON, NOW)
    device.close()
    for (let at = 0; at < 12; at++) {
      const server = new ModelServer()
      const db = await open(`rettung-bruch-${at}`)
      await fillQueue(db, await readRescue(datei, STAFF))
      const broken = breakingAt(server, at)
      await syncAll({
        db,
        sub: STAFF,
        signal: new AbortController().signal,
        present: () => NOW,
        weg: createTransport(STAFF, {
          dataApi: 'https://x.test/rest',
          generalApi: 'https://x.test/api',
          token: () => tokenFor(STAFF),
          renew: async () => false,
          fetch: broken.fetch,
        }),
      }).catch(() => undefined)
      db.close()
      await readIn(datei, server, `rettung-weiter-${at}`)
      expect([server.baeume.size, server.bilder.size], String(at)).toEqual([2, 1])
    }
  })
  test('its content: who reads it sends it, forms that were never saved are only counted', async () => {
    const device = await filledDevice()
    const { datei } = await rescueFile(device, PERSON, NOW)
    device.close()
    const content = await readRescue(datei, STAFF)
    expect(content).toMatchObject({ madeAt: NOW.toISOString(), entwuerfe: 1, unreadable: 0, fehlend: [] })
    expect(content.erfassungen.map(({ sub, kennung }) => [sub, kennung])).toEqual([
      [STAFF, TREE],
      [STAFF, OTHER],
    ])
    expect(sha256(new Uint8Array(await content.bilder[0]!.original.arrayBuffer()))).toBe(sha256(BYTES))
  })

  const dataWith = (change: object) =>
    JSON.stringify({
      programm: 'Forstkontor',
      fassung: 1,
      erfassungen: [],
      bilder: [],
      entwuerfe: [],
      ...change,
    })
  const archive = (text: string, name = 'daten.json') => zip([{ name, texts: [text] }])
  test('packed again in a folder, and packed photos, are read as well', async () => {
    const device = await filledDevice()
    const { datei } = await rescueFile(device, PERSON, NOW)
    device.close()
    const before = await readRescue(datei, STAFF)
    const data = dataWith({
      erfassungen: before.erfassungen,
      bilder: [{ ...before.bilder[0], datei: 'fotos/a.jpg' }],
    })
    const packed = zipSync({
      'Sicherung/daten.json': new TextEncoder().encode(data),
      'Sicherung/fotos/a.jpg': [BYTES, { level: 6 }],
    })
    const content = await readRescue(new Blob([packed]), STAFF)
    expect([content.erfassungen.length, content.bilder.length, content.fehlend]).toEqual([2, 1, []])
  })
  test.each([
    ['nothing', new Blob([]), 'kein_zip'],
    ['a photo', new Blob([BYTES]), 'kein_zip'],
  ])('%s is none', async (_name, file, code) => {
    await expect(readRescue(file, STAFF)).rejects.toMatchObject({ code })
  })
  test.each([
    ['another archive', () => archive('{}', 'liste.csv'), 'fremd'],
    ['data of another program', () => archive('{"programm":"Anderes"}'), 'fremd'],
    ['a list', () => archive('[]'), 'fremd'],
    ['cut data', () => archive(dataWith({}).slice(0, -5)), 'kaputt'],
    ['a version to come', () => archive(dataWith({ fassung: 2 })), 'fassung'],
    ['too much', () => archive(dataWith({ erfassungen: Array.from({ length: 20_001 }, () => 0) })), 'gross'],
    ['an archive without its end', async () => (await archive(dataWith({}))).slice(0, 60), 'kein_zip'],
  ])('%s is refused, with the reason', async (_name, make, code) => {
    await expect(readRescue(await make(), STAFF)).rejects.toMatchObject({ code, name: 'RescueFault' })
  })
  test('entries in another shape are counted and change nothing', async () => {
    const right = {
      kennung: TREE,
      idHQ: 11,
      version: null,
      basis: null,
      werte: { art: 'bu' },
      kontrollen: [],
      unterwegs: null,
      seit: NOW.toISOString(),
    }
    const wrong = [
      null,
      'x',
      { ...right, kennung: '../../x' },
      { ...right, kennung: OTHER, werte: { art: { toString: 1 } } },
      { ...right, kennung: OTHER, version: -1 },
      { ...right, kennung: OTHER, unterwegs: { kennung: TREE } },
      { ...right, kennung: OTHER, seit: 'gestern' },
    ]
    const photo = { kennung: PHOTO, baum: TREE, idHQ: 11, sha256: 'x', groesse: 5, typ: 'image/jpeg' }
    const more = {
      name: 'weg.jpg',
      aufgenommen_am: NOW.toISOString(),
      bemerkung: null,
      seit: NOW.toISOString(),
    }
    const content = await readRescue(
      await archive(
        dataWith({
          erfassungen: [right, ...wrong],
          bilder: [
            { ...photo, ...more, datei: 'fotos/weg.jpg' },
            { ...photo, groesse: 1e12 },
          ],
        }),
      ),
      STAFF,
    )
    expect(content.erfassungen.map(({ kennung }) => kennung)).toEqual([TREE])
    expect([content.unreadable, content.fehlend, content.bilder]).toEqual([wrong.length + 1, ['weg.jpg'], []])
  })
})

test.each([
  [null, undefined, 'neu'],
  [null, 1, 'da'],
  [null, 3, 'inzwischen'],
  [2, 2, 'aenderung'],
  [2, 3, 'inzwischen'],
  [2, undefined, 'fehlt'],
] as const)('a capture based on version %s, on the server %s: %s', (version, server, state) => {
  const capture = { version } as Parameters<typeof rescueStateOf>[0]
  expect(rescueStateOf(capture, server === undefined ? undefined : { version: server })).toBe(state)
})
