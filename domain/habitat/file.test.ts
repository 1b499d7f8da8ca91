import { expect, test } from 'vitest'
import { HABITAT_SPECIES } from './species.ts'
import {
  createNarrowedTally,
  parseSpecies,
  HABITAT_FIELDS,
  habitatValues,
  habitatMapping,
  structuresText,
  parseStructures,
} from './file.ts'

test('columns are found by their headings, each serves one field', () => {
  expect(
    habitatMapping(['Baum-Nr.', 'Baumart', 'BHD [cm]', 'Höhe', 'Abteilung', 'Markiert am', 'fremd']),
  ).toEqual({
    nummer: 'Baum-Nr.',
    art: 'Baumart',
    bhd_cm: 'BHD [cm]',
    hoehe_m: 'Höhe',
    sLVL03: 'Abteilung',
    markierung_datum: 'Markiert am',
  })
  // The headings of our own exports are recognised.
  const names = HABITAT_FIELDS.map(({ name }) => name)
  expect(habitatMapping(names)).toEqual(Object.fromEntries(names.map((name) => [name, name])))
})

test('species are known by code, German, English and Latin name and by what foresters write in short', () => {
  for (const { code, de, en, latin } of HABITAT_SPECIES)
    for (const word of [code, code.toUpperCase(), de, en, latin].filter((one) => one !== ''))
      expect(parseSpecies(word), word).toEqual({ art: code, art_text: null })
  expect(['RBu', 'Eiche', 'GKi', 'ROTBUCHE '].map((word) => parseSpecies(word).art)).toEqual([
    'bu',
    'tei',
    'ki',
    'bu',
  ])
  expect(parseSpecies('Mehlbeere')).toEqual({ art: 'sonstige', art_text: 'Mehlbeere' })
})
test('of a genus the most frequent species is taken, with the word, and the preview counts it', () => {
  const narrowed = createNarrowedTally()
  for (const word of ['Eiche', 'Eiche', 'Ei', 'Linde', 'Stieleiche', 'Mehlbeere', 'Kiefer'])
    narrowed.count(word)
  expect(narrowed.all('Bäume')).toEqual([
    {
      schicht: 'Bäume',
      art: 'art_enger',
      anzahl: 4,
      spalten: ['Ei → Traubeneiche', 'Eiche → Traubeneiche', 'Linde → Winterlinde'],
    },
  ])
  expect(createNarrowedTally().all('Bäume')).toEqual([])
  expect(habitatValues({ art: 'Linde' }, () => undefined)).toEqual({ art: 'wli', art_text: 'Linde' })
})

test('structures are read as they are written, and by their names', () => {
  const structures = [
    { code: '1.3', system: 'larrieu_2018', menge: 2 },
    { code: 'CV11', system: 'kraus_2016', menge: null },
  ] as const
  expect(structuresText(structures)).toBe('1.3 ×2; CV11')
  expect(parseStructures(structuresText(structures))).toEqual(structures)
  expect(parseStructures('Blitzrinne, große Spechthöhle x3')).toEqual([
    { code: '6.4', system: 'larrieu_2018', menge: null },
    { code: '1.3', system: 'larrieu_2018', menge: 3 },
  ])
  expect(parseStructures(' ; ')).toEqual([])
  expect([parseStructures('1.3; Drachenhöhle'), parseStructures('1.3 x0'), parseStructures('=1+1')]).toEqual([
    null,
    null,
    null,
  ])
})

test('words become codes; what is not understood is told and not guessed', () => {
  const told: unknown[] = []
  const values = habitatValues(
    {
      art: 'Esche',
      zustand: 'Tot',
      status: 'Habitatbaum-Anwärter',
      markierung_art: 'nein',
      verlust_grund: 'Meteorit',
      strukturen: 'x',
      kawm: false,
      bhd_cm: 41.5,
      sLVL03: null,
    },
    (...fault) => told.push(fault),
  )
  expect(values).toEqual({
    art: 'es',
    zustand: 'tot_stehend',
    status: 'anwaerter',
    kawm: false,
    bhd_cm: 41.5,
  })
  expect(told).toEqual([
    ['strukturen', 'habitat_struktur_unbekannt', 'x'],
    ['verlust_grund', 'habitat_wort', 'Meteorit'],
  ])
})
