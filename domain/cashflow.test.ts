import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dezimal, formatCents, formatDezimal, subtract, sum } from './geld.ts'
import { type AngebotsErwartung, cashflowOf, type CashflowEingabe } from './cashflow.ts'

const eingabe = (part: Partial<CashflowEingabe> = {}): CashflowEingabe => ({
  heute: '2026-03-15',
  von: '2026-03-01',
  bis: '2026-06-30',
  prognosen: [],
  offen: [],
  angebote: [],
  ...part,
})
const angebot = (part: Partial<AngebotsErwartung> = {}): AngebotsErwartung => ({
  stand: 'versendet',
  brutto: '1000.00',
  abgerechnet: '0.00',
  erwartet: '2026-04-30',
  chance: null,
  ...part,
})
/** "month amount" of what is not nothing. */
const of = (
  kind: 'einnahmen' | 'ausgaben' | 'offen' | 'ueberfaellig' | 'angenommen' | 'erwartet',
  part: Partial<CashflowEingabe>,
): string[] => cashflowOf(eingabe(part)).flatMap((month) => (month[kind] === '0.00' ? [] : [`${month.monat} ${month[kind]}`]))

describe('months', () => {
  test('every month of the span, empty ones too, over the turn of the year', () => {
    expect(cashflowOf(eingabe({ von: '2026-11-30', bis: '2027-02-01' })).map(({ monat }) => monat)).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ])
    expect(cashflowOf(eingabe({ von: '2026-03-31', bis: '2026-03-01' })).map(({ monat }) => monat)).toEqual(['2026-03'])
    expect(cashflowOf(eingabe({ von: '2026-04-01', bis: '2026-03-01' }))).toEqual([])
  })
  test('an empty month is nothing and keeps what was there', () =>
    expect(cashflowOf(eingabe({ bis: '2026-03-31', anfang: '12.50' }))).toEqual([
      {
        monat: '2026-03',
        einnahmen: '0.00',
        ausgaben: '0.00',
        offen: '0.00',
        ueberfaellig: '0.00',
        angenommen: '0.00',
        erwartet: '0.00',
        saldo: '0.00',
        stand: '12.50',
      },
    ]))
})

describe('what people expect', () => {
  test('by its day, both ways, outside of the span not at all', () => {
    const prognosen = [
      { datum: '2026-04-01', betrag: '0.10', art: 'Einnahme' },
      { datum: '2026-04-30', betrag: '0.20', art: 'Einnahme' },
      { datum: '2026-04-15', betrag: '5.00', art: 'Ausgabe' },
      { datum: '2026-07-01', betrag: '9.00', art: 'Einnahme' },
      { datum: '2026-02-28', betrag: '9.00', art: 'Ausgabe' },
    ] as const
    expect(of('einnahmen', { prognosen })).toEqual(['2026-04 0.30'])
    expect(of('ausgaben', { prognosen })).toEqual(['2026-04 5.00'])
  })
})

describe('open invoices', () => {
  test('by their due day', () =>
    expect(
      of('offen', {
        offen: [
          { faellig: '2026-03-31', offen: '119.00' },
          { faellig: '2026-04-01', offen: '11.90' },
          { faellig: '2026-07-01', offen: '1.00' },
        ],
      }),
    ).toEqual(['2026-03 119.00', '2026-04 11.90']))
  test('overdue ones this month, also when they are years old', () => {
    const part = {
      offen: [
        { faellig: '2024-01-01', offen: '5.00' },
        { faellig: '2026-03-14', offen: '7.00' },
        { faellig: '2026-03-15', offen: '1.00' },
        { faellig: null, offen: '2.00' },
      ],
    }
    expect(of('offen', part)).toEqual(['2026-03 15.00'])
    expect(of('ueberfaellig', part)).toEqual(['2026-03 12.00'])
  })
  test('what is to be paid back lessens', () =>
    expect(
      of('offen', {
        offen: [
          { faellig: '2026-04-01', offen: '100.00' },
          { faellig: '2026-04-02', offen: '-30.00' },
        ],
      }),
    ).toEqual(['2026-04 70.00']))
  test('a span in the future does not see what is expected now', () =>
    expect(of('offen', { von: '2026-05-01', offen: [{ faellig: '2026-01-01', offen: '5.00' }] })).toEqual([]))
})

describe('offers', () => {
  test('accepted ones with what is not billed', () => {
    expect(of('angenommen', { angebote: [angebot({ stand: 'angenommen', abgerechnet: '400.00', chance: 10 })] })).toEqual([
      '2026-04 600.00',
    ])
    expect(of('angenommen', { angebote: [angebot({ stand: 'angenommen', abgerechnet: '1000.00' })] })).toEqual([])
    expect(of('angenommen', { angebote: [angebot({ stand: 'angenommen', abgerechnet: '1200.00' })] })).toEqual([])
  })
  test('sent ones times their chance, rounded half away from zero', () => {
    expect(of('erwartet', { angebote: [angebot({ chance: 25 })] })).toEqual(['2026-04 250.00'])
    expect(of('erwartet', { angebote: [angebot()] })).toEqual(['2026-04 500.00'])
    expect(of('erwartet', { angebote: [angebot({ chance: 0 })] })).toEqual([])
    expect(of('erwartet', { angebote: [angebot({ chance: 100 })] })).toEqual(['2026-04 1000.00'])
    expect(of('erwartet', { angebote: [angebot({ brutto: '2.30', chance: 15 })] })).toEqual(['2026-04 0.35'])
  })
  test('without a day in sixty days, with a day that has passed this month', () => {
    expect(of('erwartet', { angebote: [angebot({ erwartet: null })] })).toEqual(['2026-05 500.00'])
    expect(of('erwartet', { angebote: [angebot({ erwartet: '2026-01-31' })] })).toEqual(['2026-03 500.00'])
  })
})

test('balance and what is there at the end of each month', () =>
  expect(
    cashflowOf(
      eingabe({
        bis: '2026-05-31',
        anfang: '1000.00',
        prognosen: [
          { datum: '2026-03-31', betrag: '1500.00', art: 'Ausgabe' },
          { datum: '2026-05-31', betrag: '10.00', art: 'Einnahme' },
        ],
        offen: [{ faellig: '2026-03-20', offen: '119.00' }],
        angebote: [angebot({ chance: 50 }), angebot({ stand: 'angenommen', erwartet: '2026-05-01' })],
      }),
    ).map(({ monat, saldo, stand }) => `${monat} ${saldo} ${stand}`),
  ).toEqual(['2026-03 -1381.00 -381.00', '2026-04 500.00 119.00', '2026-05 1010.00 1129.00']))

test('for all: balances are the sums of their parts, and the last standing is the sum of the balances', () => {
  const cents = fc.bigInt({ min: 1n, max: 10n ** 9n }).map((wert) => formatDezimal({ wert, stellen: 2 }))
  const day = fc.integer({ min: 0, max: 400 }).map((days) => new Date(Date.UTC(2026, 0, 1 + days)).toISOString().slice(0, 10))
  fc.assert(
    fc.property(
      fc.array(fc.record({ datum: day, betrag: cents, art: fc.constantFrom('Einnahme' as const, 'Ausgabe' as const) }), { maxLength: 10 }),
      fc.array(fc.record({ faellig: fc.option(day), offen: cents }), { maxLength: 10 }),
      fc.array(
        fc.record({
          stand: fc.constantFrom('versendet' as const, 'angenommen' as const),
          brutto: cents,
          abgerechnet: cents,
          erwartet: fc.option(day),
          chance: fc.option(fc.integer({ min: 0, max: 100 })),
        }),
        { maxLength: 10 },
      ),
      (prognosen, offen, angebote) => {
        const rows = cashflowOf(eingabe({ prognosen, offen, angebote }))
        for (const row of rows) {
          const parts = sum([row.einnahmen, row.offen, row.angenommen, row.erwartet].map(dezimal))
          expect(formatCents(subtract(parts, dezimal(row.ausgaben)))).toBe(row.saldo)
          expect(dezimal(row.ueberfaellig).wert <= dezimal(row.offen).wert).toBe(true)
        }
        expect(formatCents(sum(rows.map(({ saldo }) => dezimal(saldo))))).toBe(rows.at(-1)!.stand)
      },
    ),
    { numRuns: 500 },
  )
})
