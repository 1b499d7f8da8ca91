import { describe, expect, test } from 'vitest'
import type { HabitatPruefung } from '#contract/habitat.ts'
import { STRUKTUREN } from '#domain/habitat/strukturen.ts'
import { apiFilters } from '../../list/filter-kinds.ts'
import { filtersOf } from '../../list/table-source.ts'
import { changesOf } from '../../record/merge.ts'
import { parseState } from '../../list/list.ts'
import { BAUM_FELDER, BaumSchema, baumKind, gradVon, neuerBaum, toBaumValues, toBaumWerte } from '../../record/habitat/habitat-form.ts'
import { gefunden, habitatList } from './habitat-list.tsx'
import type { Baum, BaumWerte } from '../../record/habitat/baum.ts'
import { grad, haufenOf, kastenOf, mercator, punkteOf } from './haufen.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { LEERE_SAMMLUNG, sammelwerteOf } from './sammel.ts'
import { mitMenge, mitStruktur, strukturenOf, textOfStrukturen } from '../../record/habitat/strukturen-text.ts'

describe('heaps on the map', () => {
  const many = punkteOf(
    Array.from({ length: 100_000 }, (_, nr) => ({ id: nr + 1, lon: 9 + (nr % 317) / 3170, lat: 48 + Math.floor(nr / 317) / 3160, art: 0 })),
  )
  const all = kastenOf(many)!
  test('no tree is lost, and few symbols stand for many', () => {
    const cell = (all[2] - all[0]) / 20
    const heaps = haufenOf(many, all, cell)
    expect(heaps.reduce((sum, { anzahl }) => sum + anzahl, 0)).toBe(100_000)
    expect(heaps.length).toBeLessThanOrEqual(22 * 40)
    for (const { x, y, kasten } of heaps) {
      expect(x).toBeGreaterThanOrEqual(kasten[0])
      expect(y).toBeLessThanOrEqual(kasten[3])
    }
  })
  test('moving the map leaves the heaps where they are', () => {
    const cell = (all[2] - all[0]) / 20
    const inner = [all[0] + 2 * cell, all[1] + 2 * cell, all[0] + 6 * cell, all[1] + 6 * cell] as const
    const whole = new Set(haufenOf(many, all, cell).map(({ x, y, anzahl }) => [x, y, anzahl].join()))
    const part = haufenOf(many, [inner[0] - cell, inner[1] - cell, inner[2] + cell, inner[3] + cell], cell)
    // Those whose cell lies wholly in sight are the same ones.
    const full = part.filter(({ kasten: [w, s, e, n] }) => w > inner[0] && s > inner[1] && e < inner[2] && n < inner[3])
    expect(full.length).toBeGreaterThan(4)
    expect(full.filter(({ x, y, anzahl }) => !whole.has([x, y, anzahl].join()))).toEqual([])
  })
  test('without cells each stands by itself and is known', () => {
    const two = punkteOf([
      { id: 7, lon: 9, lat: 48, art: 2 },
      { id: 8, lon: 9, lat: 48, art: 0 },
    ])
    expect(haufenOf(two, kastenOf(two)!, 0).map(({ at }) => two.ids[at!])).toEqual([7, 8])
    expect(haufenOf(two, kastenOf(two)!, 10)).toMatchObject([{ anzahl: 2, at: null }])
    expect(kastenOf(punkteOf([]))).toBeNull()
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
    const angaben = strukturenOf('CV11 7.1x3 1.2')
    expect(textOfStrukturen(angaben)).toBe('1.2 7.1x3 CV11')
    expect(strukturenOf('1.2 7.1x3 CV11')).toEqual([
      { code: '1.2', system: 'larrieu_2018', menge: null },
      { code: '7.1', system: 'larrieu_2018', menge: 3 },
      { code: 'CV11', system: 'kraus_2016', menge: null },
    ])
    expect(strukturenOf('')).toEqual([])
  })
  test('every code of both catalogues finds its system again', () => {
    expect(strukturenOf(textOfStrukturen(STRUKTUREN.map(({ code }) => ({ code, menge: 2 }))))).toEqual(
      STRUKTUREN.map(({ code, system }) => ({ code, system, menge: 2 })),
    )
  })
  test('one comes, is counted, and goes', () => {
    expect(mitMenge(mitStruktur('7.1', '1.3', true), '1.3', 4)).toBe('1.3x4 7.1')
    expect(mitStruktur('1.3x4 7.1', '1.3', false)).toBe('7.1')
  })
})

describe('the form', () => {
  const baum: BaumWerte = {
    nummer: '17',
    art: 'bu',
    art_text: null,
    bhd_cm: 62.5,
    hoehe_m: null,
    zustand: 'lebend',
    status: 'baum',
    strukturen: '1.2 7.1x3',
    markierung_art: 'welle',
    markierung_datum: '2026-03-01',
    erfasst_am: '2026-02-01',
    erfasser: 'Martin Kühn',
    lon: 9.1234567,
    lat: 48.7654321,
    genauigkeit_m: 2.5,
    lage_methode: 'gnss',
    sLVL01: null,
    sLVL02: '1',
    sLVL03: '5',
    sLVL04: 'a',
    sLVL05: null,
    iSTAND: 1200,
    bemerkung: null,
    verlust_datum: null,
    verlust_grund: null,
    kawm: true,
  }
  const faults = (change: object): string[] => {
    const result = BaumSchema.safeParse({ ...toBaumValues(baum), ...change })
    return result.success ? [] : result.error.issues.map(({ path }) => path.join('.'))
  }
  test('a tree that was only looked at is not changed', () => {
    expect(changesOf(BAUM_FELDER, baum as Baum, baumKind([]).toFields(toBaumValues(baum)) as Baum)).toEqual({})
    expect(faults({})).toEqual([])
  })
  test('degrees may have comma, dot and sign; swapped ones are told', () => {
    expect(['48,5', '48.5', ' 48.5° ', '48'].map(gradVon)).toEqual([48.5, 48.5, 48.5, 48])
    expect(['', 'Wald', '1.234,5', '-3'].map(gradVon)).toEqual([null, null, null, null])
    expect(faults({ lat: '9,1', lon: '48,7' })).toEqual(['lat', 'lon'])
    expect(faults({ lat: '', lon: 'x' })).toEqual(['lat', 'lon'])
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
    const result = BaumSchema.safeParse(neuerBaum('Frieda Fichte'))
    expect(result.error?.issues.map(({ path }) => path.join('.')).toSorted()).toEqual(['art', 'lat', 'lon'])
    expect(toBaumWerte({ ...neuerBaum('F'), art: 'bu', lat: '48', lon: '9' })).toMatchObject({
      art: 'bu',
      lat: 48,
      lon: 9,
      strukturen: '',
      bhd_cm: null,
    })
  })
})

describe('the list', () => {
  const zeile = (befund: HabitatPruefung['zeilen'][number]['befund'], id: number, andere: number | null) => ({
    befund,
    id,
    andere,
    nummer: null,
    andere_nummer: null,
    abstand_m: null,
  })
  const pruefung: HabitatPruefung = {
    flaeche: true,
    zahlen: { doppelt: 2, ausserhalb: 1, ohne_bild: 0, ohne_markierung: 0, nummer_doppelt: 0 },
    zeilen: [zeile('doppelt', 5, 3), zeile('doppelt', 5, 9), zeile('ausserhalb', 4, null)],
  }
  const list = habitatList({ idHQ: 11, ebenen: [] }, pruefung, [], '')
  const asked = (search: object) => filtersOf(list, parseState(list, search)).map(({ key, value }) => `${key}=${value}`)
  test('asks for one holding, always', () => expect(asked({})).toEqual(['idHQ=eq.11']))
  test('both trees of a pair are found, each once; of nothing nothing is found', () => {
    expect(gefunden(pruefung, 'doppelt')).toEqual([3, 5, 9])
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
    expect(sammelwerteOf(LEERE_SAMMLUNG)).toEqual({})
    expect(sammelwerteOf({ ...LEERE_SAMMLUNG, markierung_datum: '01.02.2026' }), 'a day without a kind').toEqual({})
    expect(sammelwerteOf({ ...LEERE_SAMMLUNG, status: 'anwaerter', kawm: 'nein' })).toEqual({ status: 'anwaerter', kawm: false })
    expect(sammelwerteOf({ ...LEERE_SAMMLUNG, markierung: 'keine' })).toEqual({ markierung_art: null, markierung_datum: null })
    expect(sammelwerteOf({ ...LEERE_SAMMLUNG, markierung: 'welle', markierung_datum: '1.2.2026' })).toEqual({
      markierung_art: 'welle',
      markierung_datum: '2026-02-01',
    })
  })
  test('an address is set as a whole', () =>
    expect(sammelwerteOf({ ...LEERE_SAMMLUNG, adresse: true, sLVL02: ' 3 ', iSTAND: '2' })).toEqual({
      sLVL01: null,
      sLVL02: '3',
      sLVL03: null,
      sLVL04: null,
      sLVL05: null,
      iSTAND: 2,
    }))
})

test('a kennung is a random UUID', () => {
  const made = new Set(Array.from({ length: 50 }, neueKennung))
  expect(made.size).toBe(50)
  for (const kennung of made) expect(kennung).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
