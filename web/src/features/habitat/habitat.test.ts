import { TREE_INPUTS } from '#domain/habitatbaum-fields.ts'
import { parseDegrees } from '../../record/habitat/tree-values.ts'
import { describe, expect, test } from 'vitest'
import type { HabitatCheck } from '#contract/habitat.ts'
import { STRUCTURES } from '#domain/habitat/structures.ts'
import { apiFilters } from '../../list/filter-kinds.ts'
import { filtersOf } from '../../list/table-source.ts'
import { changesOf } from '../../record/merge.ts'
import { parseState } from '../../list/list.ts'
import {
  FIRST_VALUES,
  TreeSchema,
  treeKind,
  newTree,
  toTreeFormValues,
  toTreeValues,
} from '../../record/habitat/habitat-form.ts'
import { idsOfFinding, habitatList } from './habitat-list.tsx'
import type { Tree, TreeValues } from '../../record/habitat/tree.ts'
import { grad, mercator } from '../../karte/mercator.ts'
import { blocksOf, boxOfBlock, levelOf, boxOver } from './heaps.ts'
import { newId } from '../../data/new-id.ts'
import { EMPTY_BULK, bulkFieldsOf } from './bulk.ts'
import {
  withQuantity,
  withStructure,
  structuresOf,
  textOfStructures,
} from '../../record/habitat/structures-text.ts'

describe('heaps on the map', () => {
  const ANYWHERE = [1_100_000.5, 6_600_000.25, 1_101_440.5, 6_600_900.25] as const
  test('a place lies in one block alone, whichever way the map was moved there', () => {
    for (const resolution of [0.1, 0.3, 0.31, 1, 7, 100, 5_000]) {
      const level = levelOf(resolution)
      const [w, s] = ANYWHERE
      const seen = [w, s, w + 1440 * resolution, s + 600 * resolution] as const
      const blocks = blocksOf(seen, level)
      for (const [x, y] of [
        [seen[0], seen[1]],
        [seen[2], seen[3]],
        [(seen[0] + seen[2]) / 2, seen[1]],
        boxOfBlock(blocks[0]!).slice(0, 2) as [number, number],
      ]) {
        const holding = blocksOf([x!, y!, x!, y!], level)
        expect(holding).toHaveLength(1)
        const [west, south, east, north] = boxOfBlock(holding[0]!)
        expect(x! >= west && x! < east && y! >= south && y! < north, `${resolution}`).toBe(true)
      }
      expect(new Set(blocks.map((block) => boxOfBlock(block).join())).size).toBe(blocks.length)
    }
  })
  test('few questions for a screen, each for at most a thousand heaps; cells begin and end with their block', () => {
    for (const resolution of [0.31, 0.5, 0.7, 0.71, 1, 1.4, 2, 50, 180, 700]) {
      const level = levelOf(resolution)!
      const pixels = 2 ** level / resolution
      expect(pixels, `${resolution}`).toBeGreaterThan(45)
      expect(pixels, `${resolution}`).toBeLessThan(110)
      const [w, s] = ANYWHERE
      expect(blocksOf([w, s, w + 1440 * resolution, s + 600 * resolution], level).length).toBeLessThanOrEqual(
        6,
      )
      const [west, south, east] = boxOfBlock({ stufe: level, x: 3, y: 7 })
      expect([west % 2 ** level, south % 2 ** level, (east - west) / 2 ** level]).toEqual([0, 0, 32])
    }
    expect(levelOf(0.3)).toBeNull()
    expect(levelOf(100_000)).toBe(16)
  })
  test('one tree far outside makes the others not small; trees that are all outside are shown where they are', () => {
    const betrieb = [0, 0, 100, 100] as const
    expect(boxOver([-9_000, 20, 80, 60], betrieb)).toEqual([0, 20, 80, 60])
    expect(boxOver([10, 20, 80, 60], betrieb)).toEqual([10, 20, 80, 60])
    expect(boxOver([-9_000, 20, -8_000, 60], betrieb)).toEqual([-9_000, 20, -8_000, 60])
    expect(boxOver([-9_000, 20, 80, 60], null)).toEqual([-9_000, 20, 80, 60])
  })
  test('degrees and metres of web mercator are each other', () => {
    const [x, y] = mercator(10, 51)
    expect(x).toBeCloseTo(1_113_194.9079, 3)
    expect(y).toBeCloseTo(6_621_293.7227, 3)
    const [lon, lat] = grad(x, y)
    expect([lon, lat].map((value) => Math.round(value * 1e9) / 1e9)).toEqual([10, 51])
  })
})

describe('structures as one text', () => {
  test('whatever the order, the same text, and back', () => {
    const details = structuresOf('CV11 7.1x3 1.2')
    expect(textOfStructures(details)).toBe('1.2 7.1x3 CV11')
    expect(structuresOf('1.2 7.1x3 CV11')).toEqual([
      { code: '1.2', system: 'larrieu_2018', menge: null },
      { code: '7.1', system: 'larrieu_2018', menge: 3 },
      { code: 'CV11', system: 'kraus_2016', menge: null },
    ])
    expect(structuresOf('')).toEqual([])
  })
  test('every code of both catalogues finds its system again', () => {
    expect(structuresOf(textOfStructures(STRUCTURES.map(({ code }) => ({ code, menge: 2 }))))).toEqual(
      STRUCTURES.map(({ code, system }) => ({ code, system, menge: 2 })),
    )
  })
  test('one comes, is counted, and goes', () => {
    expect(withQuantity(withStructure('7.1', '1.3', true), '1.3', 4)).toBe('1.3x4 7.1')
    expect(withStructure('1.3x4 7.1', '1.3', false)).toBe('7.1')
  })
})

describe('the form', () => {
  const tree: TreeValues = {
    ...toTreeValues(FIRST_VALUES),
    nummer: '17',
    art: 'bu',
    bhd_cm: 62.5,
    strukturen: '1.2 7.1x3',
    markierung_art: 'welle',
    markierung_datum: '2026-03-01',
    erfasst_am: '2026-02-01',
    erfasser: 'Martin Kühn',
    lon: 9.1234567,
    lat: 48.7654321,
    genauigkeit_m: 2.5,
    lage_methode: 'gnss',
    sLVL02: '1',
    sLVL03: '5',
    sLVL04: 'a',
    iSTAND: 1200,
  }
  const faults = (change: object): string[] => {
    const result = TreeSchema.safeParse({ ...toTreeFormValues(tree), ...change })
    return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'))
  }
  test('a tree that was only looked at is not changed', () => {
    expect(
      changesOf(TREE_INPUTS, tree as Tree, treeKind([]).toFields(toTreeFormValues(tree)) as Tree),
    ).toEqual({})
    expect(faults({})).toEqual([])
  })
  test('degrees may have comma, dot and sign; swapped ones are told', () => {
    expect(['48,5', '48.5', ' 48.5° ', '48'].map(parseDegrees)).toEqual([48.5, 48.5, 48.5, 48])
    expect(['', 'Wald', '1.234,5', '-3'].map(parseDegrees)).toEqual([null, null, null, null])
    expect(faults({ lat: '9,1', lon: '48,7' })).toEqual(['lat', 'lon'])
    expect(faults({ lat: '', lon: 'x' })).toEqual(['lat', 'lon'])
  })
  test('nothing is saved while what is typed in metres is no place, and why is told', () => {
    const result = TreeSchema.safeParse({ ...toTreeFormValues(tree), meter: 'Der Ort fehlt.' })
    expect(result.error?.issues).toMatchObject([{ path: ['meter'], message: 'Der Ort fehlt.' }])
    expect(Object.keys(toTreeValues(toTreeFormValues(tree)))).not.toContain('meter')
  })
  test('what belongs together is asked for together', () => {
    expect(faults({ art: 'sonstige' })).toEqual(['art_text'])
    expect(faults({ markierung_art: '' })).toEqual(['markierung_art'])
    expect(faults({ verlust_grund: 'brand' })).toEqual(['verlust_datum'])
    expect(faults({ verlust_datum: '01.05.2026' })).toEqual(['verlust_grund'])
  })
  test('numbers and days beyond what can be are told at their fields', () => {
    expect(faults({ bhd_cm: '0' })).toEqual(['bhd_cm'])
    expect(faults({ bhd_cm: '62,55' })).toEqual(['bhd_cm'])
    expect(faults({ hoehe_m: '81' })).toEqual(['hoehe_m'])
    expect(faults({ iSTAND: '1,5' })).toEqual(['iSTAND'])
    expect(faults({ erfasst_am: '' })).toEqual(['erfasst_am'])
    expect(faults({ erfasst_am: '01.01.2999' })).toEqual(['erfasst_am'])
    expect(faults({ erfasst_am: '31.02.2026' })).toEqual(['erfasst_am'])
  })
  test('a new one asks for species and place alone', () => {
    const result = TreeSchema.safeParse(newTree('Frieda Fichte'))
    expect(result.error?.issues.map(({ path }) => path.join('.')).toSorted()).toEqual(['art', 'lat', 'lon'])
    expect(toTreeValues({ ...newTree('F'), art: 'bu', lat: '48', lon: '9' })).toMatchObject({
      art: 'bu',
      lat: 48,
      lon: 9,
      strukturen: '',
      bhd_cm: null,
    })
  })
})

describe('the list', () => {
  const row = (finding: HabitatCheck['zeilen'][number]['befund'], id: number, others: number | null) => ({
    befund: finding,
    id,
    andere: others,
    nummer: null,
    andere_nummer: null,
    abstand_m: null,
  })
  const check: HabitatCheck = {
    flaeche: true,
    zahlen: { doppelt: 2, ausserhalb: 1, ohne_bild: 0, ohne_markierung: 0, nummer_doppelt: 0 },
    zeilen: [row('doppelt', 5, 3), row('doppelt', 5, 9), row('ausserhalb', 4, null)],
  }
  const list = habitatList({ idHQ: 11, ebenen: [] }, check, [], '')
  const asked = (search: object) =>
    filtersOf(list, parseState(list, search)).map(({ key, value }) => `${key}=${value}`)
  test('asks for one holding, always', () => expect(asked({})).toEqual(['idHQ=eq.11']))
  test('both trees of a pair are found, each once; of nothing nothing is found', () => {
    expect(idsOfFinding(check, 'doppelt')).toEqual([3, 5, 9])
    expect(asked({ befund: 'doppelt' })).toEqual(['idHQ=eq.11', 'id=in.(3,5,9)'])
    expect(asked({ befund: 'nummer_doppelt' })).toEqual(['idHQ=eq.11', 'id=eq.-1'])
  })
  test('structures are looked for as whole codes', () => {
    expect(asked({ struktur: '1.1' })).toEqual(['idHQ=eq.11', 'struktur_suche=like.*|1.1|*'])
    const kind = list.filters!.find(({ key }) => key === 'struktur')!
    expect(apiFilters(kind as never, '1.1,7.1')).toMatchObject([
      { key: 'or', value: '(struktur_suche.like."*|1.1|*",struktur_suche.like."*|7.1|*")' },
    ])
  })
})

describe('many at once', () => {
  test('only what was chosen is sent', () => {
    expect(bulkFieldsOf(EMPTY_BULK)).toEqual({})
    expect(bulkFieldsOf({ ...EMPTY_BULK, markierung_datum: '01.02.2026' }), 'a day without a kind').toEqual(
      {},
    )
    expect(bulkFieldsOf({ ...EMPTY_BULK, status: 'anwaerter', kawm: 'nein' })).toEqual({
      status: 'anwaerter',
      kawm: false,
    })
    expect(bulkFieldsOf({ ...EMPTY_BULK, markierung: 'keine' })).toEqual({
      markierung_art: null,
      markierung_datum: null,
    })
    expect(bulkFieldsOf({ ...EMPTY_BULK, markierung: 'welle', markierung_datum: '1.2.2026' })).toEqual({
      markierung_art: 'welle',
      markierung_datum: '2026-02-01',
    })
  })
  test('an address is set as a whole', () =>
    expect(bulkFieldsOf({ ...EMPTY_BULK, adresse: true, sLVL02: ' 3 ', iSTAND: '2' })).toEqual({
      sLVL01: null,
      sLVL02: '3',
      sLVL03: null,
      sLVL04: null,
      sLVL05: null,
      iSTAND: 2,
    }))
})

test('a kennung is a random UUID', () => {
  const made = new Set(Array.from({ length: 50 }, newId))
  expect(made.size).toBe(50)
  for (const identifier of made)
    expect(identifier).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
