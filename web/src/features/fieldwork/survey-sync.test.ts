// Survey objects in the same queue as trees: cut at every point nothing is lost or there twice; conflicts, deletions,
// and the rescue file.
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import { newId } from '../../data/new-id.ts'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { type FieldworkDb, surveyKey } from './fieldwork-db.ts'
import { devicesOf, syncOver } from './fieldwork-device.fixture.ts'
import { ModelServer } from './fieldwork-model.fixture.ts'
import { countWaiting, fetchObject, fetchObjectViews, fetchQueue, fetchTree } from './queue-read.ts'
import { recreateDeleted, resolveConflict, saveChange, saveNew, saveNewObject } from './queue.ts'
import { fillQueue, readRescue } from './rescue-read.ts'
import { rescueFile } from './rescue.ts'
import { NO_VALUES, type SurveyValues } from '../../record/kataster/survey-values.ts'

const SUB = 'person-1'
const KUNDE = 7
const KEY = surveyKey(KUNDE)
const NOW = new Date('2026-11-22T09:00:00Z')
const MANHOLE: SurveyValues = { ...NO_VALUES, lage: '12.9 53.5', dn: 300, vermessen: true }
const { device, discard } = devicesOf('vermessung')
afterEach(discard)
const sync = syncOver({ sub: SUB, now: NOW })
const capture = (db: FieldworkDb, identifier: string, values: Partial<SurveyValues> = {}) =>
  saveNewObject(db, {
    sub: SUB,
    kennung: identifier,
    idHQ: KEY,
    tabelle: 'schacht',
    werte: { ...MANHOLE, ...values },
    entwurf: 'neu-vermessung',
    ersatz: newId(),
    present: NOW,
  })
const change = (db: FieldworkDb, identifier: string, values: Partial<SurveyValues>) =>
  saveChange(db, { sub: SUB, kennung: identifier, werte: values, present: NOW })

test('objects and trees wait together, and each goes to its own procedure', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const [tree, one, other] = [newId(), newId(), newId()]
  await capture(db, one)
  await saveNew(db, {
    sub: SUB,
    kennung: tree,
    idHQ: 11,
    werte: { ...toTreeValues(FIRST_VALUES), art: 'bu', erfasst_am: '2026-11-22', lon: 9.1, lat: 51.2 },
    entwurf: 'neu',
    ersatz: newId(),
    present: NOW,
  })
  await capture(db, other, { gefaelle: 3 })
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 3, bilder: 0 })
  await sync(db, server)
  expect([...server.objects.keys()].toSorted()).toEqual([one, other].toSorted())
  expect([...server.baeume.keys()]).toEqual([tree])
  expect(server.objects.get(one)).toMatchObject({ client_id: KUNDE, tabelle: 'schacht', dn: 300, version: 1 })
  // A manhole has no slope: the server would refuse the field.
  expect(server.objects.get(other)).not.toHaveProperty('gefaelle')
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  expect(await fetchTree(db, SUB, one)).toBeNull()
  expect(await fetchObject(db, SUB, tree)).toBeNull()
  expect((await fetchObjectViews(db, SUB, KEY)).map(({ stand }) => stand)).toEqual([null, null])
})

test('cut at every point: sent until it is through, each object is there once, with its last values', async () => {
  for (let cutAt = 0; cutAt < 6; cutAt++) {
    const [db, server] = [await device(), new ModelServer()]
    const [one, gone] = [newId(), newId()]
    await capture(db, one)
    await capture(db, gone)
    await sync(db, server, cutAt).catch(() => undefined)
    await change(db, one, { dn: 400 })
    await change(db, gone, { geloescht: true })
    await sync(db, server, cutAt).catch(() => undefined)
    await sync(db, server)
    await sync(db, server)
    expect([...server.objects.keys()], `cut at ${cutAt}`).toEqual([one])
    expect(server.objects.get(one)).toMatchObject({ dn: 400 })
    expect((await fetchQueue(db, SUB)).erfassungen).toEqual([])
    expect((await fetchObjectViews(db, SUB, KEY)).map(({ kennung }) => kennung)).toEqual([one])
  }
})

test('the same field changed on both sides is asked about, another one is not', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await capture(db, one)
  await sync(db, server)
  const office = (values: object) => {
    const row = server.objects.get(one)!
    server.objects.set(one, { ...row, ...values, version: row.version + 1 })
  }
  office({ material: 'Beton' })
  await change(db, one, { dn: 500 })
  await sync(db, server)
  expect(server.objects.get(one)).toMatchObject({ dn: 500, material: 'Beton' })
  office({ dn: 600 })
  await change(db, one, { dn: 700 })
  await sync(db, server)
  expect((await fetchObject(db, SUB, one))!.conflict?.server).toMatchObject({ dn: 600 })
  await resolveConflict(db, SUB, one, { dn: 700 }, NOW)
  await sync(db, server)
  expect(server.objects.get(one)).toMatchObject({ dn: 700 })
})

test('nobody deletes what somebody else has changed meanwhile without seeing it', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await capture(db, one)
  await sync(db, server)
  server.objects.set(one, { ...server.objects.get(one)!, dn: 900, version: 2 })
  await change(db, one, { geloescht: true })
  await sync(db, server)
  expect(server.objects.has(one)).toBe(true)
  expect((await fetchObject(db, SUB, one))!.view.stand).toBe('konflikt')
  await resolveConflict(db, SUB, one, { geloescht: true }, NOW)
  await sync(db, server)
  expect(server.objects.has(one)).toBe(false)
  expect(await fetchObject(db, SUB, one)).toBeNull()
})

test('what somebody else deleted can be made again under another number, with everything entered', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const one = newId()
  await capture(db, one)
  await sync(db, server)
  server.objects.delete(one)
  server.deleted.add(one)
  await change(db, one, { dn: 250 })
  await sync(db, server)
  expect((await fetchObject(db, SUB, one))!.view.stand).toBe('geloescht')
  const fresh = await recreateDeleted(db, { sub: SUB, kennung: one, newId, present: NOW })
  await sync(db, server)
  expect(server.objects.get(fresh!)).toMatchObject({ dn: 250, lage: '12.9 53.5', tabelle: 'schacht' })
})

test('the rescue file holds objects, and is read back in by the same queue', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const [sent, fresh] = [newId(), newId()]
  await capture(db, sent)
  await sync(db, server)
  await change(db, sent, { dn: 350 })
  await capture(db, fresh)
  const { datei } = await rescueFile(db, SUB, NOW)
  const content = await readRescue(datei, SUB)
  expect([content.erfassungen.length, content.unreadable]).toEqual([2, 0])
  const other = await device()
  await fillQueue(other, content)
  await sync(other, server)
  await sync(db, server)
  expect(server.objects.size).toBe(2)
  expect(server.objects.get(sent)).toMatchObject({ dn: 350 })
})
