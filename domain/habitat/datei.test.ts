import { expect, test } from 'vitest'
import { HABITAT_ARTEN } from './arten.ts'
import { artVon, HABITAT_FELDER, habitatWerte, habitatZuordnung, strukturenText, strukturenVon } from './datei.ts'

test('columns are found by their headings, each serves one field', () => {
  expect(habitatZuordnung(['Baum-Nr.', 'Baumart', 'BHD [cm]', 'Höhe', 'Abteilung', 'Markiert am', 'fremd'])).toEqual({
    nummer: 'Baum-Nr.',
    art: 'Baumart',
    bhd_cm: 'BHD [cm]',
    hoehe_m: 'Höhe',
    sLVL03: 'Abteilung',
    markierung_datum: 'Markiert am',
  })
  // What we write ourselves is found again.
  const names = HABITAT_FELDER.map(({ name }) => name)
  expect(habitatZuordnung(names)).toEqual(Object.fromEntries(names.map((name) => [name, name])))
})

test('species are known by code, German, English and Latin name and by what foresters write in short', () => {
  for (const { code, de, en, latein } of HABITAT_ARTEN)
    for (const word of [code, code.toUpperCase(), de, en, latein].filter((one) => one !== ''))
      expect(artVon(word), word).toEqual({ art: code, art_text: null })
  expect(['RBu', 'Eiche', 'GKi', 'ROTBUCHE '].map((word) => artVon(word).art)).toEqual(['bu', 'tei', 'ki', 'bu'])
  expect(artVon('Mehlbeere')).toEqual({ art: 'sonstige', art_text: 'Mehlbeere' })
})

test('structures are read as they are written, and by their names', () => {
  const strukturen = [
    { code: '1.3', system: 'larrieu_2018', menge: 2 },
    { code: 'CV11', system: 'kraus_2016', menge: null },
  ] as const
  expect(strukturenText(strukturen)).toBe('1.3 ×2; CV11')
  expect(strukturenVon(strukturenText(strukturen))).toEqual(strukturen)
  expect(strukturenVon('Blitzrinne, große Spechthöhle x3')).toEqual([
    { code: '6.4', system: 'larrieu_2018', menge: null },
    { code: '1.3', system: 'larrieu_2018', menge: 3 },
  ])
  expect(strukturenVon(' ; ')).toEqual([])
  expect([strukturenVon('1.3; Drachenhöhle'), strukturenVon('1.3 x0'), strukturenVon('=1+1')]).toEqual([null, null, null])
})

test('words become codes; what is not understood is told and not guessed', () => {
  const told: unknown[] = []
  const werte = habitatWerte(
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
  expect(werte).toEqual({ art: 'es', zustand: 'tot_stehend', status: 'anwaerter', kawm: false, bhd_cm: 41.5 })
  expect(told).toEqual([
    ['strukturen', 'habitat_struktur_unbekannt', 'x'],
    ['verlust_grund', 'habitat_wort', 'Meteorit'],
  ])
})
