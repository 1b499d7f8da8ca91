// Photos of survey objects in the queue: sent after their object, cut at every point, of two devices, deleted with it,
// and in the rescue file.
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../data/new-id.ts'
import { NO_VALUES } from '../../record/kataster/survey-values.ts'
import { unsent } from './capture.ts'
import { type FieldworkDb, surveyKey } from './fieldwork-db.ts'
import { devicesOf, syncOver } from './fieldwork-device.fixture.ts'
import { ModelServer } from './fieldwork-model.fixture.ts'
import { countWaiting, fetchObject, fetchQueue } from './queue-read.ts'
import { freeDraftImages, rememberDraft, rememberImage, saveChange, saveNewObject } from './queue.ts'
import { fillQueue, readRescue } from './rescue-read.ts'
import { rescueFile } from './rescue.ts'
import { entryHref } from './survey-words.ts'

const SUB = 'person-1'
const KEY = surveyKey(7)
const NOW = new Date('2026-11-22T09:00:00Z')
const { device, discard } = devicesOf('objektfotos')
afterEach(discard)
const sync = syncOver({ sub: SUB, now: NOW, chunk: 4 })
const manhole = (db: FieldworkDb, identifier: string) =>
  saveNewObject(db, {
    sub: SUB,
    kennung: identifier,
    idHQ: KEY,
    tabelle: 'schacht',
    werte: { ...NO_VALUES, lage: '12.9 53.5', dn: 300 },
    entwurf: 'neu-vermessung',
    ersatz: newId(),
    present: NOW,
  })
let photos = 0
async function take(db: FieldworkDb, tree: string, stand: 'entwurf' | 'wartet' = 'wartet') {
  const bytes = new TextEncoder().encode(`photo ${++photos} of ${tree}`)
  const identifier = newId()
  await rememberImage(db, {
    sub: SUB,
    kennung: identifier,
    baum: tree,
    ...(stand === 'wartet' && { tabelle: 'schacht' as const }),
    idHQ: KEY,
    stand,
    original: new Blob([bytes], { type: 'image/jpeg' }),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    groesse: bytes.length,
    typ: 'image/jpeg',
    name: 'Schacht.jpg',
    vorschau: null,
    aufgenommen_am: NOW.toISOString(),
    bemerkung: null,
    ...unsent(NOW.toISOString()),
  })
  return identifier
}

test('of an unsaved form they belong to what is saved, and are sent after it', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await take(db, one, 'entwurf')
  await take(db, one, 'entwurf')
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  await manhole(db, one)
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 1, bilder: 2 })
  expect((await fetchQueue(db, SUB)).bilder.map(({ tabelle }) => tabelle)).toEqual(['schacht', 'schacht'])
  expect(await sync(db, server)).toMatchObject({ baeume: 1, bilder: 2, abgelehnt: 0 })
  expect([...server.bilder.values()].map(({ baum }) => baum)).toEqual([one, one])
  expect((await fetchObject(db, SUB, one))!.object?.bilder).toBe(2)
})

test('one still being read when its form is saved waits along with it', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await take(db, one, 'entwurf')
  await manhole(db, one)
  await take(db, one, 'entwurf')
  expect((await fetchQueue(db, SUB)).bilder.map(({ stand, tabelle }) => [stand, tabelle])).toEqual([
    ['wartet', 'schacht'],
    ['wartet', 'schacht'],
  ])
  await sync(db, server)
  await take(db, one, 'entwurf')
  expect(await sync(db, server)).toMatchObject({ bilder: 1 })
  expect(server.bilder.size).toBe(3)
})

test('of a form open in two windows it stays with the one that is not saved', async () => {
  const db = await device()
  const one = newId()
  await manhole(db, one)
  const about = {
    sub: SUB,
    name: 'neu-vermessung',
    kennung: one,
    idHQ: KEY,
    werte: {},
    am: NOW.toISOString(),
  }
  await rememberDraft(db, about)
  await take(db, one, 'entwurf')
  await freeDraftImages(db, SUB)
  expect((await fetchQueue(db, SUB)).bilder).toEqual([])
})

test('left by an earlier version as of a form that is no more, it is sent; an unsaved form keeps its own', async () => {
  const db = await device()
  const [saved, unsaved] = [newId(), newId()]
  const kept = await take(db, unsaved, 'entwurf')
  const lost = await take(db, saved, 'entwurf')
  await manhole(db, saved)
  await db.put('bilder', { ...(await db.get('bilder', [SUB, lost]))!, stand: 'entwurf' })
  await freeDraftImages(db, SUB)
  expect(await db.get('bilder', [SUB, lost])).toMatchObject({ stand: 'wartet', tabelle: 'schacht' })
  expect(await db.get('bilder', [SUB, kept])).toMatchObject({ stand: 'entwurf' })
})

test('cut at every point, each is there once and leaves the device', async () => {
  for (let cutAt = 0; cutAt < 16; cutAt++) {
    const [db, server] = [await device(), new ModelServer()]
    const one = newId()
    await manhole(db, one)
    await take(db, one)
    await sync(db, server, cutAt).catch(() => undefined)
    await take(db, one)
    await sync(db, server, cutAt).catch(() => undefined)
    await sync(db, server)
    expect([server.objects.size, server.bilder.size], `cut at ${cutAt}`).toEqual([1, 2])
    expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  }
})

test('two devices at one manhole: all their photos are there, and a repeated sending adds none', async () => {
  const server = new ModelServer()
  const [a, b] = [await device(), await device()]
  const one = newId()
  await manhole(a, one)
  await sync(a, server)
  for (const db of [a, b, b]) await take(db, one)
  await sync(b, server)
  await sync(a, server)
  await sync(b, server)
  expect(server.bilder.size).toBe(3)
})

test('the object is deleted as asked: its waiting photos go with it, and nothing is left to decide', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await manhole(db, one)
  await sync(db, server)
  await take(db, one)
  await saveChange(db, { sub: SUB, kennung: one, werte: { geloescht: true }, present: NOW })
  await sync(db, server)
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  expect([server.objects.size, server.bilder.size]).toEqual([0, 0])
})

test('deleted by somebody else, a photo waits refused, with where it was', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await manhole(db, one)
  await sync(db, server)
  await take(db, one)
  server.objects.delete(one)
  server.deleted.add(one)
  expect(await sync(db, server)).toMatchObject({ bilder: 0, abgelehnt: 1 })
  const { bilder, baeume } = await fetchQueue(db, SUB)
  expect(bilder).toMatchObject([{ stand: 'abgelehnt', tabelle: 'schacht' }])
  expect(baeume.get(one)?.tabelle).toBe('schacht')
  expect(entryHref({ tabelle: bilder[0]!.tabelle, kennung: one })).toBe(`/feld/objekt/${one}`)
})

test('the rescue file carries them, and read in twice each is there once', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await manhole(db, one)
  await sync(db, server)
  await take(db, one)
  const two = newId()
  await manhole(db, two)
  await take(db, two)
  const { datei } = await rescueFile(db, SUB, NOW)
  for (const _ of [1, 2]) {
    const content = await readRescue(datei, SUB)
    expect([content.erfassungen.length, content.bilder.length, content.unreadable]).toEqual([1, 2, 0])
    const other = await device()
    await fillQueue(other, content)
    expect(await sync(other, server)).toMatchObject({ abgelehnt: 0 })
  }
  await sync(db, server)
  expect([server.objects.size, server.bilder.size]).toEqual([2, 2])
})
