import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Choice,
  changesOf,
  differencesOf,
  isDecided,
  mergeBy,
  mergedChanges,
  proposeChoice,
  type Side,
} from './merge.ts'

const FIELDS = [
  'name',
  'name_zusatz',
  'strasse',
  'plz',
  'ort',
  'bundesland',
  'ap_gender',
  'ap_vorname',
  'ap_nachname',
  'ap_tel',
  'epsg',
] as const
type Field = (typeof FIELDS)[number]
type KundeFields = Record<Field, string | number | null>

const BASE: KundeFields = {
  name: 'Gut Eichberg',
  name_zusatz: null,
  strasse: 'Am Forst 1',
  plz: '01067',
  ort: 'Dresden',
  bundesland: 'Sachsen',
  epsg: 25833,
  ap_gender: 'Frau',
  ap_vorname: 'Käthe',
  ap_nachname: 'Weiß',
  ap_tel: '0351 123',
}
const kunde = (change: Partial<KundeFields>): KundeFields => ({ ...BASE, ...change })

describe('different fields', () => {
  const mine = kunde({ ort: 'Pirna' })
  const theirs = kunde({ ap_tel: '0351 999' })
  const differences = differencesOf(FIELDS, BASE, mine, theirs)
  test('both are shown, none is disputed', () =>
    expect(differences.map(({ field, disputed }) => [field, disputed])).toEqual([
      ['ort', false],
      ['ap_tel', false],
    ]))
  test('each keeps what they changed', () => {
    const choice = proposeChoice(differences)
    expect(choice).toEqual({ ort: 'mine', ap_tel: 'theirs' })
    expect(mergeBy(FIELDS, choice, mine, theirs)).toEqual(kunde({ ort: 'Pirna', ap_tel: '0351 999' }))
  })
  test('only mine is sent', () =>
    expect(mergedChanges(FIELDS, proposeChoice(differences), mine, theirs)).toEqual({ ort: 'Pirna' }))
})

describe('the same field', () => {
  const mine = kunde({ ort: 'Pirna', plz: '01796' })
  const theirs = kunde({ ort: 'Meißen' })
  const differences = differencesOf(FIELDS, BASE, mine, theirs)
  test('is disputed and not decided by itself', () => {
    expect(differences.find(({ field }) => field === 'ort')).toEqual({
      field: 'ort',
      base: 'Dresden',
      mine: 'Pirna',
      theirs: 'Meißen',
      disputed: true,
    })
    expect(isDecided(differences, proposeChoice(differences))).toBe(false)
  })
  test('theirs: nothing of mine is sent for it', () =>
    expect(mergedChanges(FIELDS, { plz: 'mine', ort: 'theirs' }, mine, theirs)).toEqual({ plz: '01796' }))
  test('the order of the fields is that of the form', () =>
    expect(differences.map(({ field }) => field)).toEqual(['plz', 'ort']))
  test('mine: sent', () =>
    expect(mergedChanges(FIELDS, { plz: 'mine', ort: 'mine' }, mine, theirs)).toEqual({
      plz: '01796',
      ort: 'Pirna',
    }))
})

test('what both changed alike is settled', () =>
  expect(differencesOf(FIELDS, BASE, kunde({ ort: 'Pirna' }), kunde({ ort: 'Pirna' }))).toEqual([]))

const some = fc.record({
  name: fc.constantFrom('A', 'B', 'C'),
  ort: fc.constantFrom('X', 'Y', 'Z'),
  bundesland: fc.constantFrom(null, 'Bayern', 'Hessen'),
  ap_tel: fc.constantFrom(null, '0351 1'),
  epsg: fc.constantFrom(25832, 25833),
})
test('whatever is chosen: each field is mine or theirs as chosen, and sending the changes makes it so', () => {
  fc.assert(
    fc.property(
      some,
      some,
      some,
      fc.array(fc.constantFrom<Side>('mine', 'theirs'), { minLength: 5, maxLength: 5 }),
      (b, m, h, sides) => {
        const [base, mine, theirs] = [kunde(b), kunde(m), kunde(h)]
        const differences = differencesOf(FIELDS, base, mine, theirs)
        const choice: Choice<Field> = {
          ...Object.fromEntries(differences.map(({ field }, at) => [field, sides[at]!])),
          ...proposeChoice(differences),
        }
        const merged = mergeBy(FIELDS, choice, mine, theirs)
        for (const { field } of differences)
          expect(merged[field]).toBe(choice[field] === 'mine' ? mine[field] : theirs[field])
        expect({ ...theirs, ...mergedChanges(FIELDS, choice, mine, theirs) }).toEqual(merged)
        // The suggestion never undoes what only the other side changed.
        for (const { field } of differences.filter(({ disputed }) => !disputed))
          if (mine[field] === base[field]) expect(merged[field]).toBe(theirs[field])
        expect(changesOf(FIELDS, merged, merged)).toEqual({})
      },
    ),
  )
})
