import { describe, expect, test } from 'vitest'
import { applySuggestions, checkImport, type ImportInput, kundeKey, nameKey } from './import.ts'
import { FAULTS, type FaultKind, faultText } from './import-faults.ts'
import {
  FIELD_KEYS,
  type FieldKey,
  headerKey,
  missingFields,
  proposeMapping,
  restoreMapping,
  saveMapping,
} from './import-fields.ts'
import keyCases from './import-key.cases.json' with { type: 'json' }
import {
  type Cell,
  parseBoolean,
  parseDate,
  parseEpsg,
  parseGender,
  parseLand,
  parseNumber,
} from './import-values.ts'

const NOW = new Date('2026-05-04T10:00:00Z')
const PLZ = {
  '04103': ['Leipzig'],
  '01067': ['Dresden'],
  '63928': ['Eichenbühl', 'Walldürn'],
  '34117': ['Kassel'],
}
const GOOD: Partial<Record<FieldKey, Cell>> = {
  name: 'Gemeinde Holzhausen',
  strasse: 'Am Wald 1',
  plz: '04103',
  ort: 'Leipzig',
  sHQ: 'Revier Nord',
}

function check(rows: Partial<Record<FieldKey, Cell>>[], more: Partial<ImportInput> = {}) {
  const mapping = FIELD_KEYS.filter((key) => rows.some((row) => key in row))
  const cells = rows.map((row) => mapping.map((key) => row[key]))
  return checkImport({
    rows: cells,
    firstRow: 2,
    mapping,
    plz: PLZ,
    now: NOW,
    doppelte: 'anhalten',
    vorhanden: new Map(),
    ...more,
  })
}
const told = (result: ReturnType<typeof check>) =>
  result.faults.map(({ zeile, feld, art, stufe }) => `${zeile} ${feld} ${art} ${stufe}`)

describe('faults of one row', () => {
  const CASES: readonly (readonly [
    why: string,
    change: Partial<Record<FieldKey, Cell>>,
    expected: string | null,
  ])[] = [
    ['a good row', {}, null],
    ['no name', { name: ' ' }, 'name name_fehlt fehler'],
    ['no street', { strasse: '' }, 'strasse strasse_fehlt fehler'],
    ['no PLZ', { plz: null }, 'plz plz_fehlt fehler'],
    ['no Ort', { ort: '' }, 'ort ort_fehlt fehler'],
    ['PLZ with four digits', { plz: '4103' }, 'plz plz_format fehler'],
    ['PLZ as a number of a spreadsheet', { plz: 4103 }, 'plz plz_format fehler'],
    ['PLZ with letters', { plz: 'D-04103' }, 'plz plz_format fehler'],
    ['PLZ in other digits', { plz: '٠٤١٠٣' }, 'plz plz_format fehler'],
    ['PLZ of another country', { land: 'Österreich', plz: '04103' }, 'plz plz_ausland fehler'],
    ['a country without postcodes', { land: 'HK', plz: null, ort: 'Kowloon', bundesland: '' }, null],
    [
      'a country with postcodes',
      { land: 'SG', plz: null, ort: 'Singapur', bundesland: '' },
      'plz plz_fehlt fehler',
    ],
    ['a customer abroad', { land: 'NL', plz: '1012ab', ort: 'Amsterdam', bundesland: '' }, null],
    ['a country that is none', { land: 'Atlantis' }, 'land land_unbekannt fehler'],
    [
      'a state abroad',
      { land: 'AT', plz: '1010', ort: 'Wien', bundesland: 'Bayern' },
      'bundesland bundesland_ausland fehler',
    ],
    ['PLZ nobody has', { plz: '04999' }, 'plz plz_unbekannt warnung'],
    ['Ort of another PLZ', { ort: 'Dresden' }, 'ort ort_passt_nicht warnung'],
    ['part of the Ort', { ort: 'Leipzig-Connewitz' }, null],
    ['unknown Land', { bundesland: 'Preußen' }, 'bundesland bundesland_unbekannt fehler'],
    ['Land in short', { bundesland: 'SN' }, null],
    ['Land of another PLZ', { bundesland: 'Bayern' }, 'bundesland bundesland_widerspricht warnung'],
    [
      'one of two Länder at a border',
      { plz: '63928', ort: 'Walldürn', bundesland: 'Baden-Württemberg' },
      null,
    ],
    [
      'neither of two Länder at a border',
      { plz: '63928', ort: 'Walldürn', bundesland: 'Hessen' },
      'bundesland bundesland_widerspricht warnung',
    ],
    ['EPSG of nobody', { epsg: '99999' }, 'epsg epsg_unbekannt fehler'],
    ['EPSG by its name', { epsg: 'ETRS89 / UTM Zone 33N' }, null],
    ['unknown salutation', { ap_gender: 'Familie' }, 'ap_gender anrede_unbekannt fehler'],
    ['phone from a spreadsheet', { ap_tel: '4,93417E+11' }, 'ap_tel telefon_ungueltig fehler'],
    ['phone', { ap_tel: '+49 (0)341 / 12-34' }, null],
    ['area that is none', { dcFLAEHB: 'ca. 100' }, 'dcFLAEHB zahl_ungueltig fehler'],
    ['negative area', { dcFLAEHB: '-12,5' }, 'dcFLAEHB flaeche_negativ fehler'],
    ['square metres for hectares', { dcFLAEHB: '4.500.000' }, 'dcFLAEHB flaeche_zu_gross fehler'],
    ['more than anybody owns', { dcFLAEHB: 250000 }, 'dcFLAEHB flaeche_auffaellig warnung'],
    ['thirtieth of February', { dtFE: '30.02.2020' }, 'dtFE datum_ungueltig fehler'],
    ['date of long ago', { dtFE: '01.01.1900' }, 'dtFE datum_auffaellig warnung'],
    ['date of the day after tomorrow’s forest', { dtFE: '2126-01-01' }, 'dtFE datum_auffaellig warnung'],
    [
      'a subsidy before it existed',
      { kawm_approval_date: '01.05.2012' },
      'kawm_approval_date datum_auffaellig warnung',
    ],
    ['neither yes nor no', { kawm_enabled: 'vielleicht' }, 'kawm_enabled ja_nein_ungueltig fehler'],
    ['a name of 201 letters', { name: 'x'.repeat(201) }, 'name text_zu_lang fehler'],
    ['a name of 200 letters', { name: 'x'.repeat(200) }, null],
    ['200 letters of two units each', { name: '𝔵'.repeat(200) }, null],
    ['a bell in the name', { name: 'Forst\u0007amt' }, 'name steuerzeichen fehler'],
    ['text turned around', { ort: 'Leip\u202Ezig' }, 'ort steuerzeichen fehler'],
    ['a line break is a blank', { strasse: 'Am Wald\n1' }, null],
    ['a formula', { name: '=HYPERLINK("http://x")' }, 'name formel fehler'],
    ['an at sign in front', { name: '@SUM(A1)' }, 'name formel fehler'],
    ['a minus in front of words', { name_zusatz: '-cmd' }, 'name_zusatz formel fehler'],
    ['a spreadsheet’s fault', { ort: '#NAME?' }, 'ort excel_fehler fehler'],
    ['headquarters without a name', { sHQ: '' }, 'sHQ hq_name_fehlt warnung'],
  ]
  for (const [why, change, expected] of CASES)
    test(why, () => {
      const result = check([{ ...GOOD, ...change }])
      expect(told(result)).toEqual(expected === null ? [] : [`2 ${expected}`])
      expect(result.gesperrt).toBe(expected?.endsWith('fehler') ?? false)
    })

  test('every kind of fault has a case here or below, and its message names everything', () => {
    const covered = new Set<string>([
      ...CASES.map(([, , expected]) => expected?.split(' ')[1] ?? ''),
      'doppelt_in_datei',
      'kunde_vorhanden',
      'kunde_widerspruch',
    ])
    expect(Object.keys(FAULTS).filter((kind) => !covered.has(kind as FaultKind))).toEqual([])
    for (const [, change] of CASES)
      for (const fault of check([{ ...GOOD, ...change }]).faults) expect(faultText(fault)).not.toMatch(/[{}]/)
  })
  test('a long text is cut in its message', () => {
    const [fault] = check([
      { ...GOOD, bundesland: 'y'.repeat(50) },
      { ...GOOD, sHQ: 'b', ap_tel: '0'.repeat(39) + 'x' },
    ]).faults
    expect(faultText(fault!).length).toBeLessThan(120)
  })
})

describe('customers of several rows', () => {
  test('are merged, what one row leaves out another says', () => {
    const result = check([
      { ...GOOD, ap_nachname: 'Förster', ap_tel: null },
      { ...GOOD, name: 'gemeinde  holzhausen', sHQ: 'Revier Süd', ap_nachname: null, ap_tel: '0341 1234' },
    ])
    expect(result.kunden).toHaveLength(1)
    expect(result.kunden[0]?.werte).toMatchObject({
      name: 'Gemeinde Holzhausen',
      ap_nachname: 'Förster',
      ap_tel: '0341 1234',
      epsg: 25833,
    })
    expect(result.kunden[0]?.forstbetriebe.map(({ zeile, werte }) => [zeile, werte.sHQ])).toEqual([
      [2, 'Revier Nord'],
      [3, 'Revier Süd'],
    ])
  })
  test('must not contradict each other', () => {
    const result = check([GOOD, { ...GOOD, sHQ: 'Revier Süd', strasse: 'Hauptstraße 9' }])
    expect(told(result)).toEqual(['3 strasse kunde_widerspruch fehler'])
    expect(faultText(result.faults[0]!)).toBe(
      'Für denselben Kunden steht in Zeile 2 „Am Wald 1“, hier „Hauptstraße 9“.',
    )
  })
  test('a phone number written otherwise is the same', () =>
    expect(
      told(
        check([
          { ...GOOD, ap_tel: '0341/12 34' },
          { ...GOOD, sHQ: 'b', ap_tel: '0341 1234' },
        ]),
      ),
    ).toEqual([]))
  test('same name, other PLZ: another customer', () => {
    expect(check([GOOD, { ...GOOD, plz: '01067', ort: 'Dresden' }]).kunden).toHaveLength(2)
  })
  test('empty rows are passed over and do not shift the numbers', () => {
    const result = check([GOOD, { name: '', strasse: ' ' }, { ...GOOD, sHQ: 'c', plz: 'x' }])
    expect([result.zeilen, told(result)]).toEqual([2, ['4 plz plz_format fehler']])
  })
  test('nothing at all is nothing to import', () => expect(check([{ name: '' }]).gesperrt).toBe(true))
})

describe('duplicates', () => {
  const existing = new Map([
    [kundeKey('GEMEINDE HOLZHAUSEN', '04103'), { client_id: 7, name: 'Gemeinde Holzhausen' }],
  ])
  test('the same row twice stops', () => {
    const result = check([GOOD, { ...GOOD, sHQ: 'revier NORD' }])
    expect([told(result), result.gesperrt]).toEqual([['3 sHQ doppelt_in_datei fehler'], true])
  })
  test('the same row twice is left out', () => {
    const result = check([GOOD, GOOD], { doppelte: 'ueberspringen' })
    expect([told(result), result.gesperrt, result.uebersprungen]).toEqual([
      ['3 sHQ doppelt_in_datei warnung'],
      false,
      [3],
    ])
    expect(result.kunden[0]?.forstbetriebe).toHaveLength(1)
  })
  test('a customer of the database stops', () =>
    expect(told(check([GOOD], { vorhanden: existing }))).toEqual(['2 name kunde_vorhanden fehler']))
  test('a customer of the database is left out', () => {
    const result = check([GOOD, { ...GOOD, name: 'Stadt Neu' }], {
      vorhanden: existing,
      doppelte: 'ueberspringen',
    })
    expect(result.kunden.map(({ werte }) => werte.name)).toEqual(['Stadt Neu'])
    expect([result.uebersprungen, result.gesperrt]).toEqual([[2], false])
  })
  for (const { why, name, key } of keyCases)
    test(`key of a name: ${why}`, () => expect(nameKey(name)).toBe(key))
})

describe('proposals', () => {
  test('the lost zero, then the Land that follows from it, in a column that the file has not', () => {
    const mapping = ['name', 'strasse', 'plz', 'ort'] as FieldKey[]
    const first = { rows: [['Gemeinde Holzhausen', 'Am Wald 1', 1067, '']], firstRow: 2, mapping }
    const run = (input: Pick<ImportInput, 'rows' | 'firstRow' | 'mapping'>) =>
      checkImport({ ...input, plz: PLZ, now: NOW, doppelte: 'anhalten', vorhanden: new Map() })
    expect(run(first).suggestions).toEqual([{ zeile: 2, feld: 'plz', wert: '01067' }])
    const second = { firstRow: 2, ...applySuggestions(first, run(first).suggestions) }
    expect(run(second).suggestions).toEqual([
      { zeile: 2, feld: 'ort', wert: 'Dresden' },
      { zeile: 2, feld: 'bundesland', wert: 'Sachsen' },
    ])
    const third = run({ firstRow: 2, ...applySuggestions(second, run(second).suggestions) })
    expect([third.faults, third.suggestions, third.kunden[0]?.werte.bundesland]).toEqual([[], [], 'Sachsen'])
    expect(first.rows).toEqual([['Gemeinde Holzhausen', 'Am Wald 1', 1067, '']])
  })
})

describe('mapping of columns', () => {
  test('German headings', () => {
    const headers = [
      'Kunden-Name',
      'Straße + Haus-Nr.',
      'PLZ',
      'Ort',
      'Land',
      'Fläche [ha]',
      'Stichtag Forsteinrichtung',
      'KAWM',
      'KAWM-Fläche (ha)',
      'Bemerkung',
      'Telefon (Büro)',
    ]
    expect(proposeMapping(headers)).toEqual([
      'name',
      'strasse',
      'plz',
      'ort',
      'bundesland',
      'dcFLAEHB',
      'dtFE',
      'kawm_enabled',
      'kawm_area',
      null,
      'ap_tel',
    ])
    expect(missingFields(proposeMapping(headers))).toEqual([])
  })
  test('the columns of the database', () => expect(proposeMapping(FIELD_KEYS)).toEqual(FIELD_KEYS))
  test('a field is taken once', () =>
    expect(proposeMapping(['Name', 'Kunde', 'Firma'])).toEqual(['name', null, null]))
  test('required fields', () => expect(missingFields(['name', null, 'ort'])).toEqual(['strasse', 'plz']))
  test('is remembered for the set of headings in any order', () => {
    const headers = ['Name', 'Wohin', 'Telefon', 'Telefon']
    const saved = saveMapping(headers, ['name', 'ort', null, 'ap_tel'])
    expect(headerKey(['telefon', 'NAME', 'Telefon', 'Wohin!'])).toBe(headerKey(headers))
    expect(restoreMapping(['Wohin', 'Name', 'Telefon', 'Telefon'], saved)).toEqual([
      'ort',
      'name',
      null,
      'ap_tel',
    ])
  })
  test('remembered nonsense is left out', () =>
    expect(
      restoreMapping(['Name', 'Ort', 'constructor'], { name: 'gibtsnicht', ort: 'name', x: 'plz' }),
    ).toEqual([null, 'name', null]))
})

describe('values', () => {
  const each = <T>(name: string, parse: (cell: Cell) => T, cases: readonly (readonly [Cell, T])[]) => {
    for (const [cell, value] of cases) test(`${name} ${String(cell)}`, () => expect(parse(cell)).toBe(value))
  }
  each('number', parseNumber, [
    ['1.234,56', '1234.56'],
    ['1234,5', '1234.5'],
    ['1.234', '1234'],
    ['12.5', '12.5'],
    ['1.234.567', '1234567'],
    ['12 345,6 ha', '12345.6'],
    ['0,00004', '0'],
    ['−3', '-3'],
    [7.12345678, '7.1235'],
    [0.1 + 0.2, '0.3'],
    ['1,2,3', null],
    ['12a', null],
    ['1.23.4', null],
    ['1e5', null],
    [Number.NaN, null],
  ])
  each('date', parseDate, [
    ['31.12.2024', '2024-12-31'],
    ['1.2.24', '2024-02-01'],
    ['1.2.98', '1998-02-01'],
    ['29.02.2024', '2024-02-29'],
    ['29.02.2023', null],
    ['2024-05-06', '2024-05-06'],
    ['2024-05-06 00:00:00', '2024-05-06'],
    ['12/31/2024', null],
    [45292, '2024-01-01'],
    [2015, null],
    ['2015', null],
    [new Date('2020-03-04T00:00:00Z'), '2020-03-04'],
  ])
  each('yes or no', parseBoolean, [
    ['Ja', true],
    ['x', true],
    [true, true],
    [0, false],
    ['nein', false],
    ['FALSCH', false],
    ['', null],
    ['evtl.', null],
  ])
  each('Land', parseLand, [
    ['Freistaat Sachsen', 'Sachsen'],
    ['THUERINGEN', 'Thüringen'],
    ['nrw', 'Nordrhein-Westfalen'],
    ['DE-BY', 'Bayern'],
    ['Tirol', null],
  ])
  each('EPSG', parseEpsg, [
    ['EPSG:25833', 25833],
    [31468, 31468],
    ['GK 4', 31468],
    ['UTM32', 25832],
    ['2154', null],
  ])
  each('salutation', parseGender, [
    ['Hr.', 'Herr'],
    ['weiblich', 'Frau'],
    ['d', 'divers'],
    ['Dr.', null],
  ])
})

test('the faults that stop and those that only warn', () => {
  const warnings = (Object.keys(FAULTS) as FaultKind[]).filter((art) => FAULTS[art].stufe === 'warnung')
  expect(warnings).toEqual([
    'plz_unbekannt',
    'ort_passt_nicht',
    'bundesland_widerspricht',
    'flaeche_auffaellig',
    'datum_auffaellig',
    'hq_name_fehlt',
  ])
})
