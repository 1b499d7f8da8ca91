// A weak line: what is too large for it holds nothing else up, and is tried with less at once or more time.
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import type { BorderValues } from '#contract/border.ts'
import { newId } from '../../data/new-id.ts'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { unsent } from './capture.ts'
import type { FieldworkDb } from './fieldwork-db.ts'
import { devicesOf } from './fieldwork-device.fixture.ts'
import { ModelServer, sha256, slowLine, tokenFor } from './fieldwork-model.fixture.ts'
import { countWaiting } from './queue-read.ts'
import { rememberImage, saveNew, saveNewBorder } from './queue.ts'
import { syncAll } from './sync.ts'
import { createTransport } from './sync-transport.ts'

const SUB = 'person-1'
const NOW = new Date('2026-11-28T09:00:00Z')
const { device, discard } = devicesOf('langsam')
afterEach(discard)

const tree = (db: FieldworkDb, identifier: string, remark: string | null = null) =>
  saveNew(db, {
    sub: SUB,
    kennung: identifier,
    idHQ: 11,
    werte: {
      ...toTreeValues(FIRST_VALUES),
      art: 'bu',
      erfasst_am: '2026-11-28',
      lon: 9.5,
      lat: 51.4,
      bemerkung: remark,
    },
    entwurf: 'neu',
    ersatz: newId(),
    present: NOW,
  })
const border = (db: FieldworkDb, identifier: string, bytes: number) => {
  const values: BorderValues = {
    bestand_id: null,
    fassung: null,
    lage: '9.5 51.4,9.51 51.4,9.51 51.41',
    spur: '9.50000000 51.40000000 spur 2 gnss 0 1790000000,'.repeat(Math.ceil(bytes / 48)),
    toleranz_m: 1,
    bemerkung: null,
    erfasst_am: NOW.toISOString(),
  }
  return saveNewBorder(db, {
    sub: SUB,
    kennung: identifier,
    idHQ: 11,
    werte: values,
    entwurf: 'g',
    ersatz: newId(),
    present: NOW,
  })
}
const photo = async (db: FieldworkDb, treeId: string, length: number) => {
  const bytes = Uint8Array.from({ length }, (_, at) => at % 251)
  const identifier = newId()
  await rememberImage(db, {
    sub: SUB,
    kennung: identifier,
    baum: treeId,
    idHQ: 11,
    stand: 'wartet',
    original: new Blob([bytes], { type: 'image/jpeg' }),
    sha256: sha256(bytes),
    groesse: length,
    typ: 'image/jpeg',
    name: 'Stamm.jpg',
    vorschau: null,
    aufgenommen_am: NOW.toISOString(),
    bemerkung: null,
    ...unsent(NOW.toISOString()),
  })
  return identifier
}
/** One application window: what its line has shown is remembered between the runs. */
function windowOver(db: FieldworkDb, line: ReturnType<typeof slowLine>) {
  const transport = createTransport(SUB, {
    dataApi: 'http://feld.test/rest',
    generalApi: 'http://feld.test/api',
    token: () => tokenFor(SUB),
    renew: async () => false,
    ...line,
  })
  return () =>
    syncAll({ db, sub: SUB, weg: transport, signal: new AbortController().signal, present: () => NOW })
}

test('a long border does not hold up trees and photos, and arrives with more time', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const [long, short, beech] = [newId(), newId(), newId()]
  await border(db, long, 650_000)
  await border(db, short, 3_000)
  await tree(db, beech)
  const picture = await photo(db, beech, 300_000)
  const sync = windowOver(db, slowLine(server, 1_500))
  await expect(sync()).rejects.toMatchObject({ code: 'netz', timedOut: true })
  expect([...server.baeume.keys(), ...server.bilder.keys(), ...server.borders.keys()].toSorted()).toEqual(
    [beech, picture, short].toSorted(),
  )
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 1, bilder: 0 })
  for (let run = 0; run < 4 && server.borders.size < 2; run++) await sync().catch(() => undefined)
  expect([...server.borders.keys()].toSorted()).toEqual([long, short].toSorted())
  expect(await countWaiting(db, SUB)).toEqual({ baeume: 0, bilder: 0 })
})

test('a batch that is too much is sent in smaller ones', async () => {
  const [db, server] = [await device(), new ModelServer()]
  for (let at = 0; at < 60; at++) await tree(db, newId(), 'x'.repeat(2_000))
  expect(await windowOver(db, slowLine(server, 400))()).toMatchObject({ baeume: 60 })
  expect(server.baeume.size).toBe(60)
})

test('one capture that never passes leaves the others to go', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const [large, small] = [newId(), newId()]
  await tree(db, large, 'x'.repeat(400_000))
  await tree(db, small)
  await photo(db, small, 10_000)
  await expect(windowOver(db, slowLine(server, 300))()).rejects.toMatchObject({ timedOut: true })
  expect([...server.baeume.keys()]).toEqual([small])
  expect(server.bilder.size).toBe(1)
})

test('photos go in pieces that the line carries', async () => {
  const [db, server] = [await device(), new ModelServer()]
  const beech = newId()
  await tree(db, beech)
  await photo(db, beech, 2_500_000)
  await photo(db, beech, 100_000)
  expect(await windowOver(db, slowLine(server, 1_000))()).toMatchObject({ bilder: 2 })
})

test('a line on which nothing passes is given up after two attempts', async () => {
  const [db, server] = [await device(), new ModelServer()]
  for (let at = 0; at < 5; at++) await tree(db, newId())
  const line = slowLine(server, 0.001)
  await expect(windowOver(db, line)()).rejects.toMatchObject({ code: 'netz', timedOut: true })
  expect(line.seconds()).toBeLessThan(200)
  expect(server.baeume.size).toBe(0)
})
