import { describe, expect, test } from 'vitest'
import type { Beleg } from '#domain/beleg.ts'
import { musterBeleg } from '#domain/beleg-sample.ts'
import { computeBeleg, belegBasisOf } from '#domain/rechnung.ts'
import { belegOf } from './beleg-preview.ts'
import {
  inputsOf,
  fieldFault,
  fieldText,
  fieldValue,
  printPositions,
  printSkontoText,
  skontoFault,
} from './draft-fields.ts'
import { parseLines } from './position/line.ts'
import { effectiveReferences, referencesOf, taxedLines } from './place-fields.ts'

const WHOLE = { kind: 'ganz', most: 365 } as const
const PERCENT = { kind: 'zahl', decimals: 2, integerDigits: 3, most: 100 } as const
const DAY = { kind: 'tag', required: true } as const
const SKONTO = { kind: 'skonto' } as const
const POSITIONS = { kind: 'positionen' } as const

const POSITION = {
  id: 7,
  art: 'position',
  bez: 'Graben',
  anzahl: '12.5',
  einheit: 'm',
  ep: '3.33',
  rabatt_prozent: '10.00',
  ust_satz: null,
  kategorie: null,
  steuergrund: '',
  erl_titel: '',
  erl: 'Text',
  erl_on: true,
  le_date: null,
  le_date_bis: null,
  angebot_position_id: null,
  gewaehlt: false,
} as const

describe('a field of the form', () => {
  test.each([
    [WHOLE, '', null],
    [WHOLE, '365', null],
    [WHOLE, '366', 'Eine ganze Zahl von 0 bis 365.'],
    [WHOLE, '1,5', 'Eine ganze Zahl von 0 bis 365.'],
    [PERCENT, '100', null],
    [PERCENT, '100,01', 'Höchstens 100.'],
    [
      PERCENT,
      '2.5',
      'Der Punkt trennt nur Tausender. Bitte für Nachkommastellen ein Komma eingeben, zum Beispiel 12,50.',
    ],
    [DAY, '', 'Diese Angabe fehlt.'],
    [DAY, '31.2.2026', 'Bitte ein Datum wie 31.12.2026.'],
    [{ kind: 'zeile', longest: 3 } as const, 'äöü', null],
    [{ kind: 'zeile', longest: 3 } as const, 'äöüß', 'Höchstens 3 Zeichen.'],
    [POSITIONS, '[{"anzahl":"viele"}]', 'In den Positionen sind Angaben zu prüfen.'],
  ])('%j %j: %s', (art, text, fault) => expect(fieldFault(art, text)).toBe(fault))

  test.each([
    [{ kind: 'zahl', decimals: 2, integerDigits: 2, required: true } as const, '19.00', '19'],
    [PERCENT, '2.50', '2,5'],
    [PERCENT, '0.00', ''],
    [{ kind: 'zahl', decimals: 2, integerDigits: 12 } as const, '1234.50', '1.234,5'],
    [WHOLE, 30, '30'],
    [WHOLE, null, ''],
    [DAY, '2026-11-02', '02.11.2026'],
    [{ kind: 'zeile', longest: 9, leer: null } as const, null, ''],
    [{ kind: 'text', longest: 99 } as const, 'zwei\nZeilen ', 'zwei\nZeilen '],
    [SKONTO, null, ''],
    [SKONTO, '[]', '[]'],
    [SKONTO, '[{"tage":10,"prozent":"2.00"}]', '[["10","2"]]'],
    [
      POSITIONS,
      printPositions([POSITION]),
      '[{"id":7,"bez":"Graben","anzahl":"12,5","einheit":"m","ep":"3,33","rabatt_prozent":"10","erl":"Text"}]',
    ],
  ])('what was not touched is not changed: %j %j', (art, value, text) => {
    expect(fieldText(art, value)).toBe(text)
    expect(fieldValue(art, text)).toBe(value)
  })
})

describe('tiers of discount', () => {
  test('in order, without empty ones', () =>
    expect(
      fieldValue(
        SKONTO,
        printSkontoText([
          ['20', '1'],
          ['', ''],
          ['10', '2,5'],
        ]),
      ),
    ).toBe('[{"tage":10,"prozent":"2.50"},{"tage":20,"prozent":"1.00"}]'))
  test.each([
    [[['0', '2']], 'Tage: eine ganze Zahl von 1 bis 999.'],
    [[['10', '0']], 'Skonto: mehr als 0 und weniger als 100 %.'],
    [[['10', '']], 'Diese Angabe fehlt.'],
    [[['10', '100']], 'Diese Zahl ist zu groß.'],
    [
      [
        ['10', '1'],
        ['10', '2'],
      ],
      'Zweimal dieselbe Zahl von Tagen.',
    ],
  ] as const)('%j: %s', (tiers, fault) => expect(skontoFault(printSkontoText(tiers))).toBe(fault))
})

test('a new line is saved without a number, a stored one with its own, one deleted meanwhile as a new one', () => {
  const stored = printPositions([POSITION])
  const typed = printPositions([POSITION, { ...POSITION, id: null }, { ...POSITION, id: 4711 }])
  expect(inputsOf(typed, stored).map((row) => 'id' in row)).toEqual([true, false, false])
})

describe('the document with what is typed', () => {
  const lieferant = { kleinunternehmer: false } as Beleg['lieferant']
  const base = {
    art: 'rechnung',
    ust_satz: '19.00',
    rabatt_prozent: '0.00',
    lieferant,
    empfaenger: { bestellnummer: 'B1' } as Beleg['empfaenger'],
    anrede: '',
    anschreiben: 'Rechnung {nummer}',
    zuerl: '',
  } as unknown as Beleg
  const rows = parseLines(
    '[{"art":"ueberschrift","bez":"T"},{"bez":"a","anzahl":"3","ep":"1,115"},{},' +
      '{"art":"optional","bez":"o","ep":"5"},{"bez":"b","ep":"2","ust_satz":"7"}]',
  )
  const references = referencesOf(() => null)
  const made = belegOf(
    base,
    {
      beleg: { rabatt_prozent: '2.50' },
      bestellnummer: null,
      verweise: references,
      anzahlung: '1.00',
      zahlungsziel: null,
    },
    rows,
  )
  test('is computed as it will be when it is issued', () => {
    expect(computeBeleg(belegBasisOf(made)).summen).toEqual(made.summen)
    expect(made.summen).toMatchObject({ positionen: '5.35', rabatt: '0.13', anzahlung: '1.00' })
    expect(made.positionen.map(({ nr, betrag }) => `${nr} ${betrag}`)).toEqual([
      '1 5.35',
      '1.1 3.35',
      '1.2 5.00',
      '1.3 2.00',
    ])
    expect(made.positionen[3]).toMatchObject({ ust_satz: '7.00', kategorie: 'S' })
    expect(made.empfaenger.bestellnummer).toBe('B1')
  })
  test.each([
    ['the day it is due moves with the date', {}, null, '2026-03-29'],
    ['later', { datum: '2026-11-23' }, null, '2026-12-07'],
    ['by as many days as are typed', { datum: '2026-11-23' }, 30, '2026-12-23'],
    ['a date that is none leaves it', { datum: '' }, 30, '2026-03-29'],
  ])('%s', (_, beleg, terms, due) => {
    const sample = musterBeleg((draft) => {
      draft.datum = '2026-03-15'
      draft.gueltig_bis = '2026-03-16'
    })
    const values = {
      beleg,
      bestellnummer: null,
      verweise: references,
      anzahlung: '0.00',
      zahlungsziel: terms,
    }
    const { datum, gueltig_bis } = belegOf(sample, values, [])
    expect(belegOf(sample, values, []).faellig).toBe(due)
    if (datum === '2026-11-23') expect(gueltig_bis).toBe('2026-11-24')
  })
})

describe('place of supply and numbers of the buyer', () => {
  const sample = (change: Partial<Beleg>): Beleg =>
    musterBeleg((draft) => Object.assign(draft, { ...change, ust_satz: '19.00' }))
  const abroad = (ust_id: string) => ({ ...musterBeleg().empfaenger, land: 'AT', plz: '1010', ust_id })
  const lines = '[{"art":"ueberschrift","bez":"T"},{"bez":"a","ep":"1"},{"bez":"b","ep":"2","ust_satz":"7"}]'
  const taxes = (text: string) =>
    parseLines(text).map(({ kategorie, ust_satz, steuergrund }) =>
      [kategorie, ust_satz, steuergrund].join('|'),
    )
  test('lines get the tax of the place, and those that may bear theirs keep it', () => {
    const elsewhere = { leistungsort: 'kein_grundstueck', empfaenger: abroad('ATU13585627') } as const
    const charged = taxedLines(lines, sample(elsewhere))
    const reason = 'AE||Steuerschuldnerschaft des Leistungsempfängers'
    expect(taxes(charged)).toEqual(['||', reason, reason])
    const inland = sample({ leistungsort: 'grundstueck_inland', empfaenger: abroad('ATU13585627') })
    expect(taxes(taxedLines(charged, inland))).toEqual(['||', '||', '||'])
    expect(taxedLines(lines, inland)).toBe(lines)
    expect(taxedLines(lines, sample({ empfaenger: abroad('') }))).toBe(lines)
  })
  test('the customer’s numbers stand where the draft has none', () => {
    const base = { kaeufer_ref: 'K', projekt_nr: 'alt' }
    expect(
      effectiveReferences(
        referencesOf(() => null),
        base,
      ),
    ).toEqual({ kaeufer_ref: 'K' })
    const typed = referencesOf((field) =>
      field === 'kaeufer_ref' ? 'R' : field === 'projekt_nr' ? 'P' : null,
    )
    expect(effectiveReferences(typed, base)).toEqual({ kaeufer_ref: 'R', projekt_nr: 'P' })
  })
})
