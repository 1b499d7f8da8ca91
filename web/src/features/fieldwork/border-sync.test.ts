// Walked borders in the same queue as trees: cut at every point nothing is lost or there twice; a refused one says why;
// the rescue file.
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../data/new-id.ts'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import type { BorderValues } from '#contract/border.ts'
import { borderName, borderValuesOf } from './border-capture.ts'
import { addressOf } from './border-draft.ts'
import { type FieldworkDb } from './fieldwork-db.ts'
import { devicesOf, syncOver } from './fieldwork-device.fixture.ts'
import { ModelServer } from './fieldwork-model.fixture.ts'
import { countWaiting, fetchBorder, fetchQueue, fetchTreeViews } from './queue-read.ts'
import { discardCapture, saveNew, saveNewBorder } from './queue.ts'
import { fillQueue, readRescue } from './rescue-read.ts'
import { rescueFile } from './rescue.ts'
import { entryHref, entryName } from './survey-words.ts'

const SUB = 'person-1'
const HQ = 11
const NOW = new Date('2026-11-28T09:00:00Z')
const BORDER: BorderValues = {
  bestand_id: 7,
  fassung: 'a'.repeat(32),
  sLVL03: '17',
  sLVL04: 'b',
  iSTAND: 2,
  lage: '9.5 51.4,9.51 51.4,9.51 51.41',
  spur: '9.50000000 51.40000000 spur 2 gnss 0 1790000000',
  toleranz_m: 1,
  bemerkung: null,
  erfasst_am: NOW.toISOString(),
}
const { device, discard } = devicesOf('grenze')
afterEach(discard)
const sync = syncOver({ sub: SUB, now: NOW })
const walk = (db: FieldworkDb, treeId: string, values: Partial<BorderValues> = {}) =>
  saveNewBorder(db, {
    sub: SUB,
    kennung: treeId,
    idHQ: HQ,
    werte: { ...BORDER, ...values },
    entwurf: 'grenze',
    ersatz: newId(),
    present: NOW,
  })
const tree = (db: FieldworkDb, treeId: string) =>
  saveNew(db, {
    sub: SUB,
    kennung: treeId,
    idHQ: HQ,
    werte: { ...toTreeValues(FIRST_VALUES), art: 'bu', erfasst_am: '2026-11-28', lon: 9.5, lat: 51.4 },
    entwurf: 'neu',
    ersatz: newId(),
    present: NOW,
  })

test('borders and trees wait together, whatever breaks each arrives once', async () => {
  for (let cutAt = 0; cutAt < 8; cutAt++) {
    const [db, server] = [await device(), new ModelServer()]
    const [one, two, beech] = [newId(), newId(), newId()]
    await walk(db, one)
    await tree(db, beech)
    await walk(db, two, { bestand_id: null, fassung: null })
    expect(await countWaiting(db, SUB)).toEqual({ baeume: 3, bilder: 0 })
    await sync(db, server, cutAt).catch(() => undefined)
    await sync(db, server)
    expect([...server.borders.keys()].toSorted()).toEqual([one, two].toSorted())
    expect(server.borders.get(one)).toMatchObject({ ...BORDER, idHQ: HQ, version: null })
    expect([...server.baeume.keys()]).toEqual([beech])
    expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
    // What the server has of it disturbs no list of trees.
    expect(await fetchTreeViews(db, SUB, HQ)).toHaveLength(1)
    for (const border of [one, two]) expect(await fetchBorder(db, SUB, border)).toBeNull()
  }
})

test('a refused one waits with its reason, and can be discarded', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const identifier = newId()
  await walk(db, identifier)
  server.refusals.set(identifier, ['grenze_kreuzt', 'lage'])
  await sync(db, server)
  const entry = await fetchBorder(db, SUB, identifier)
  expect(entry).toMatchObject({ stand: 'abgelehnt', antwort: { regel: 'grenze_kreuzt' } })
  expect(borderValuesOf(entry!)).toMatchObject({ lage: BORDER.lage, spur: BORDER.spur })
  expect(entryName(entry!)).toBe('Grenze 17 / b / 2')
  expect(entryHref(entry!)).toBe(`/feld/grenze/${identifier}`)
  expect(await discardCapture(db, SUB, identifier)).toBe(true)
  expect(await fetchBorder(db, SUB, identifier)).toBeNull()
})

test('the rescue file brings it to another device', async () => {
  const [db, other, server] = [await device(), await device(), new ModelServer()]
  const identifier = newId()
  await walk(db, identifier)
  const { datei } = await rescueFile(db, SUB, NOW)
  const content = await readRescue(datei, SUB)
  expect(content).toMatchObject({
    unreadable: 0,
    erfassungen: [{ kennung: identifier, tabelle: 'grenzvorschlag' }],
  })
  await fillQueue(other, content)
  await sync(other, server)
  await sync(db, server)
  expect(server.borders.size).toBe(1)
  expect((await fetchQueue(db, SUB)).erfassungen).toEqual([])
})

test('the address of a new stand', () => {
  expect(addressOf(['', '', '', '', '', ''])).toBe('leer')
  expect(addressOf(['', '3', '', '', '', 'x'])).toBe('nummer')
  expect(addressOf(['', 'x'.repeat(61), '', '', '', ''])).toBe('lang')
  expect(addressOf(['', ' 3 ', '17', '', '', '2'])).toMatchObject({
    sLVL01: null,
    sLVL02: '3',
    sLVL03: '17',
    iSTAND: 2,
  })
  expect(borderName({ sLVL03: '17' })).toBe('Grenze 17')
})
