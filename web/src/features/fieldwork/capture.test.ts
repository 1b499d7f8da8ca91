// What a receiver said of a place, in the queue: it goes with every place that is sent, and entries and packs from
// before it was kept stay what they were.
import { describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import type { SurveyRow } from '#contract/vermessung.ts'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import { rowOf } from '../../record/habitat/tree.ts'
import { emptyEntry } from './capture-rules.ts'
import { captureNew, TREES, valuesOf } from './capture.ts'
import type { FieldworkCapture } from './fieldwork-db.ts'
import { OBJECTS, surveyNew } from './survey-capture.ts'

const WHO = {
  sub: 'a',
  kennung: '00000000-0000-4000-8000-000000000001',
  idHQ: 11,
  present: '2026-11-28T08:00:00Z',
}
const VALUES = { ...toTreeValues(FIRST_VALUES), art: 'bu', lon: 9.1, lat: 51.2, lage_methode: 'rtk' }
const TREE = {
  ...rowOf({ ...VALUES, lage_fix: 'rtk_fixed' } as never),
  id: 1,
  kennung: WHO.kennung,
  version: 3,
} as unknown as Habitatbaum
/** As it was kept before these columns were there. */
const { lage_fix: _fix, genauigkeit_geschaetzt: _estimated, ...OLD } = TREE
const OLD_TREE = OLD as Habitatbaum

const changeOf = (tree: Habitatbaum, values: FieldworkCapture['werte']) =>
  TREES.applyChange(undefined, tree, captureNew(WHO, {} as never), {
    werte: values,
    viewed: { version: tree.version, werte: valuesOf(tree) },
  })!

describe('a tree', () => {
  test('measured again with the same solution sends it again; other changes send none', () => {
    const moved = changeOf(TREE, { lon: 9.2, lage_fix: 'rtk_fixed' })
    expect(moved.werte, 'it is no change by itself').toEqual({ lon: 9.2 })
    expect(TREES.begin(moved).unterwegs).toMatchObject({
      lon: 9.2,
      lage_fix: 'rtk_fixed',
      genauigkeit_geschaetzt: false,
    })
    expect(TREES.begin(changeOf(TREE, { bhd_cm: 50 })).unterwegs).not.toHaveProperty('lage_fix')
    const onMap = changeOf(TREE, { lon: 9.2, lage_fix: null, lage_methode: 'karte' })
    expect(TREES.begin(onMap).unterwegs).toMatchObject({ lage_fix: null, lage_methode: 'karte' })
  })
  test('in a pack from before is changed without a conflict', () => {
    const waiting = changeOf(OLD_TREE, { lon: 9.2 })
    const server = { ...OLD_TREE, lage_fix: null, genauigkeit_geschaetzt: false, version: 4 } as Habitatbaum
    const answer = { ergebnis: 'konflikt', baum: server, regel: null, feld: null } as const
    const { capture, conflict } = TREES.afterAnswer(TREES.begin(waiting), answer, WHO.present)
    expect(conflict, 'nobody else has changed the place').toBeNull()
    expect(capture).toMatchObject({ stand: 'wartet', version: 4 })
    expect(TREES.begin(capture!).unterwegs).toMatchObject({ lon: 9.2, lage_fix: null })
  })
  test('that waits since before is sent as it was written', () => {
    const {
      lage_fix: _f,
      genauigkeit_geschaetzt: _e,
      ...before
    } = VALUES as unknown as Record<string, unknown>
    const entry = { ...emptyEntry(WHO), werte: before } as unknown as FieldworkCapture
    const { unterwegs } = TREES.begin(entry)
    expect(unterwegs).toMatchObject({ art: 'bu', lon: 9.1, version: null, idHQ: 11 })
    expect(unterwegs).not.toHaveProperty('lage_fix')
    const server = { ...TREE, ...rowOf(before), version: 1, lage_fix: null, genauigkeit_geschaetzt: false }
    const answer = { ergebnis: 'angelegt', baum: server as Habitatbaum, regel: null, feld: null } as const
    expect(TREES.afterAnswer(TREES.begin(entry), answer, WHO.present)).toMatchObject({
      capture: null,
      conflict: null,
    })
  })
})

describe('a survey object', () => {
  const ROW = {
    kennung: WHO.kennung,
    version: 2,
    tabelle: 'schacht',
    lage: '13.1 53.4',
    lage_fix: 'rtk_fixed',
  }
  test('sends what was said of a place with the place', () => {
    const change = (values: object) =>
      OBJECTS.begin(
        OBJECTS.applyChange(undefined, ROW as unknown as SurveyRow, surveyNew(WHO, 'schacht', {}), {
          werte: values as never,
        })!,
      ).unterwegs
    expect(change({ lage: '13.2 53.4' })).toMatchObject({ lage: '13.2 53.4', lage_fix: 'rtk_fixed' })
    expect(change({ lage: '13.2 53.4', lage_fix: null })).toMatchObject({ lage_fix: null })
    expect(change({ dn: 300 })).not.toHaveProperty('lage_fix')
  })
})
