// A customer's survey on a device: fetched page by page up to a limit, put in the place of what was there, and given
// back with the right.
import 'fake-indexeddb/auto'
import { afterEach, expect, test } from 'vitest'
import type { SurveyRow, VermessungTable } from '#contract/vermessung.ts'
import { newId } from '../../data/new-id.ts'
import { deleteFieldworkDb, type FieldworkDb, openFieldworkDb, surveyKey } from './fieldwork-db.ts'
import { noLongerAllowed, packetsOf } from './packet.ts'
import { fetchObjectViews } from './queue-read.ts'
import { saveChange } from './queue.ts'
import { fetchObjects, MOST_OBJECTS, putAwaySurvey } from './survey-packet.ts'

const SUB = 'person-1'
const KUNDE = 7
const NOW = new Date('2026-11-22T09:00:00Z')
let db: FieldworkDb | null = null
afterEach(async () => {
  db?.close()
  await deleteFieldworkDb('vermessung-paket')
})
const row = (id: number, table: VermessungTable = 'schacht'): SurveyRow =>
  ({
    id,
    kennung: newId(),
    tabelle: table,
    client_id: KUNDE,
    version: 1,
    lage: '12.9 53.5',
    schluessel: `S ${id}`,
  }) as SurveyRow
const asked = { client_id: KUNDE, part: { art: 'ganz' }, signal: new AbortController().signal } as const

test('all kinds are fetched, each page after the last object of the one before', async () => {
  const steps: number[] = []
  const questions: string[] = []
  const objects = await fetchObjects(
    { ...asked, onStep: (done) => steps.push(done) },
    ({ tabelle, nach }) => {
      questions.push(`${tabelle} ${nach}`)
      return Promise.resolve(tabelle === 'schacht' && nach < 20 ? [row(nach + 10)] : [])
    },
  )
  expect(objects.map(({ id }) => id)).toEqual([10, 20])
  expect(questions).toEqual([
    'draenage 0',
    'ausmuendung 0',
    'schacht 0',
    'schacht 10',
    'schacht 20',
    'schlucker 0',
    'einlauf 0',
  ])
  expect(steps).toEqual([0, 1, 2, 3, 4])
})
test('more than a device can show are refused with what helps', async () => {
  const page = (length: number) => Array.from({ length }, (_, at) => row(at + 1))
  const limit = (extra: number) =>
    fetchObjects({ ...asked, onStep: () => undefined }, ({ tabelle, nach }) =>
      Promise.resolve(tabelle === 'draenage' && nach === 0 ? page(MOST_OBJECTS + extra) : []),
    )
  expect(await limit(0)).toHaveLength(MOST_OBJECTS)
  await expect(limit(1)).rejects.toThrow('Bitte wählen Sie einen Kartenausschnitt.')
})

test('a newer save replaces the objects, but not what waits', async () => {
  db = await openFieldworkDb({ name: 'vermessung-paket' })
  const [stays, goes, waits] = [row(1), row(2), row(3)]
  const put = (objects: SurveyRow[]) =>
    putAwaySurvey(db!, SUB, { client_id: KUNDE, name: 'Forst C', objects }, { art: 'ganz' }, NOW)
  await put([stays, goes, waits])
  await saveChange(db, { sub: SUB, kennung: waits.kennung, werte: { dn: 300 }, present: NOW })
  await put([{ ...stays, version: 2, material: 'Ton' }])
  const views = await fetchObjectViews(db, SUB, surveyKey(KUNDE))
  expect(views.map(({ kennung }) => kennung).toSorted()).toEqual([stays.kennung, waits.kennung].toSorted())
  expect(views.find(({ kennung }) => kennung === stays.kennung)!.werte).toMatchObject({ material: 'Ton' })
  expect(views.find(({ kennung }) => kennung === waits.kennung)).toMatchObject({
    stand: 'wartet',
    werte: { dn: 300, schluessel: 'S 3' },
  })
  const [packet] = await packetsOf(db, SUB)
  expect(packet).toMatchObject({ idHQ: -KUNDE, sHQ: 'Forst C', baeume: 1 })
  // Only those who survey keep it, whatever holdings they have.
  expect(noLongerAllowed([packet!], { roles: ['apus_team'], hqs: [] })).toEqual([])
  expect(noLongerAllowed([packet!], { roles: ['ogf_admin'], hqs: [] })).toEqual([packet])
})
