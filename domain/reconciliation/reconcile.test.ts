// Which invoice a payment is for: what is proposed, why, and what is never certain.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimal, formatCents, sum } from '../geld.ts'
import { isSameName, nameWords } from './names.ts'
import { reconcile } from './reconcile.ts'
import type { ReconciliationRechnung, ReconciliationUmsatz } from './suggestion.ts'

const IBAN = 'DE89370400440532013000'
const rechnung = (
  rechnung_id: number,
  part: Partial<ReconciliationRechnung> = {},
): ReconciliationRechnung => {
  const amount = part.zahlbetrag ?? '119.00'
  return {
    rechnung_id,
    client_id: rechnung_id,
    kunde: `Forstbetrieb ${'Nord Süd West Ost Mitte'.split(' ')[rechnung_id % 5]!}wald ${rechnung_id}`,
    nummer: `RE-2026-${String(rechnung_id).padStart(4, '0')}`,
    rn_datum: '2026-03-01',
    zahlbetrag: amount,
    bezahlt: '0.00',
    offen: amount,
    storniert: false,
    skonto: [],
    mahnkosten: '0.00',
    ...part,
  }
}
const umsatz = (part: Partial<ReconciliationUmsatz> = {}): ReconciliationUmsatz => ({
  id: 1,
  datum: '2026-03-10',
  rest: '119.00',
  name: '',
  iban: '',
  zweck: '',
  ...part,
})
const all = (
  rechnungen: readonly ReconciliationRechnung[],
  entry: Partial<ReconciliationUmsatz>,
  accountList: readonly { iban: string; client_id: number }[] = [],
) => reconcile([umsatz(entry)], { rechnungen, accountList })[0]!
const best = (...given: Parameters<typeof all>) => all(...given).suggestions[0]

describe('costs of a reminder', () => {
  const dunned = rechnung(12, { mahnkosten: '15.40' })
  test('paid with the invoice are told apart from it', () => {
    const found = best([dunned, rechnung(13)], { rest: '134.40', zweck: 'RE-2026-0012' })
    expect(found).toMatchObject({
      zuordnungen: [{ rechnung_id: 12, betrag: '134.40', mahnkosten: true }],
      reasons: ['nummer', 'mahnung'],
      sicher: true,
    })
  })
  test('paid by a known account that names nothing', () => {
    const found = best([dunned], { rest: '134.40', iban: IBAN }, [{ iban: IBAN, client_id: 12 }])
    expect(found).toMatchObject({ zuordnungen: [{ betrag: '134.40', mahnkosten: true }], sicher: true })
  })
  test('paid alone, once the invoice is settled', () => {
    const settled = { ...dunned, offen: '0.00', bezahlt: '119.00' }
    expect(best([settled], { rest: '15.40', zweck: 'Mahnkosten RE-2026-0012' })).toMatchObject({
      zuordnungen: [{ rechnung_id: 12, betrag: '15.40', mahnkosten: true }],
      sicher: true,
    })
    expect(best([settled], { rest: '15.39', zweck: 'Mahnkosten RE-2026-0012' })).toBeUndefined()
  })
})

describe('a number in the purpose', () => {
  test.each([
    ['as printed', 'RE-2026-0012', 'nummer'],
    ['in small letters', 're-2026-0012', 'nummer'],
    ['among words', 'Rechnung Nr. RE-2026-0012 vom 01.03.2026', 'nummer'],
    ['at a full stop', 'RE-2026-0012.', 'nummer'],
    ['torn by a line end', 'RE-2026-\n0012', 'nummer_teil'],
    ['torn within its digits', 'RE-20\n26-001 2', 'nummer_teil'],
    ['with blanks', 'RE 2026 0012', 'nummer_teil'],
    ['without anything between', 'RE20260012', 'nummer_teil'],
    ['with slashes', 'RE/2026/0012', 'nummer_teil'],
    ['without zeros', 'RE-2026-12', 'nummer_teil'],
    ['with more zeros', 'RE-2026-00012', 'nummer_teil'],
    ['without its letters', 'Rechnung 2026-0012', 'nummer_teil'],
    ['in full width', 'ＲＥ－２０２６－００１２', 'nummer'],
  ] as const)('%s', (_what, purpose, reason) => {
    const found = best([rechnung(12), rechnung(13, { zahlbetrag: '50.00' })], { zweck: purpose })
    expect(found).toMatchObject({
      zuordnungen: [{ rechnung_id: 12, betrag: '119.00', skonto: false }],
      sicher: true,
    })
    expect(found!.reasons).toContain(reason)
  })
  test.each([
    ['a longer one', 'RE-2026-00121'],
    ['another year', 'RE-2025-0012'],
    ['letters before it', 'XRE-2025-0012'],
    ['a day', '12.03.2026'],
    ['an amount', '2.026,12 EUR'],
    ['nothing', ''],
  ])('is not found in %s', (_what, purpose) =>
    expect(best([rechnung(12), rechnung(13)], { zweck: purpose, rest: '11.11' })).toBeUndefined(),
  )
  test('as printed is not a torn one of another as well', () => {
    const long = rechnung(120)
    expect(best([rechnung(12), long], { zweck: 'RE-2026-0120' })!.zuordnungen).toEqual([
      { rechnung_id: 120, betrag: '119.00', skonto: false },
    ])
    expect(
      best([rechnung(12), rechnung(1)], { zweck: 'RE-2026-0001 2 Termine' })!.zuordnungen[0]!.rechnung_id,
    ).toBe(1)
  })
  test('that is a plain number is found as it stands and never in a day or an amount', () => {
    const plain = rechnung(1, { nummer: '2026' })
    expect(best([plain], { zweck: 'Rechnung 2026' })!.reasons).toContain('nummer')
    expect(best([rechnung(1, { nummer: '10234' })], { zweck: '102 34', rest: '1.00' })).toBeUndefined()
  })
  test('with signs that a pattern would take for its own', () =>
    expect(best([rechnung(1, { nummer: 'R(1)+[2]*' })], { zweck: 'Zu R(1)+[2]*' })!.reasons).toContain(
      'nummer',
    ))
})

describe('an amount', () => {
  const skonto = [
    { tage: 7, prozent: '3.00' },
    { tage: 14, prozent: '2.00' },
  ]
  const named = { zweck: 'RE-2026-0001' }
  const one = rechnung(1, { skonto })
  test('less the discount in time is sure, and grants it', () => {
    expect(best([one], { ...named, rest: '115.43', datum: '2026-03-08' })).toMatchObject({
      zuordnungen: [{ betrag: '115.43', skonto: true }],
      sicher: true,
    })
    expect(best([one], { ...named, rest: '116.62', datum: '2026-03-15' })).toMatchObject({
      zuordnungen: [{ betrag: '116.62', skonto: true }],
      sicher: true,
    })
  })
  test('less the discount too late is a part, and not sure', () => {
    const found = best([one], { ...named, rest: '115.43', datum: '2026-03-09' })
    expect(found).toMatchObject({ zuordnungen: [{ betrag: '115.43', skonto: false }], sicher: false })
    expect(found!.reasons).toContain('skonto_spaet')
  })
  test('of what is paid in part has no discount', () =>
    expect(
      best([rechnung(1, { skonto, offen: '100.00', bezahlt: '19.00' })], {
        ...named,
        rest: '97.00',
        datum: '2026-03-02',
      })!.reasons,
    ).toContain('teil'))
  test('less or more than is open is not sure; of more, what is open is taken', () => {
    expect(best([one], { ...named, rest: '50.00' })).toMatchObject({
      zuordnungen: [{ betrag: '50.00' }],
      sicher: false,
    })
    const more = best([one], { ...named, rest: '120.00' })
    expect(more).toMatchObject({ zuordnungen: [{ betrag: '119.00' }], sicher: false })
    expect(more!.reasons).toContain('ueber')
  })
  test('before the day of the invoice is not sure', () =>
    expect(best([one], { ...named, datum: '2026-02-28' })).toMatchObject({
      sicher: false,
      reasons: ['nummer', 'betrag', 'vor_rechnung'],
    }))
  test('alone is a proposal where one invoice has it, and none where two have', () => {
    expect(best([rechnung(1), rechnung(2, { zahlbetrag: '5.00' })], {})).toMatchObject({
      sicher: false,
      reasons: ['betrag', 'einzige'],
    })
    expect(best([rechnung(1), rechnung(2)], {})).toBeUndefined()
  })
})

describe('the customer', () => {
  const own = (id: number, payable: string, part: Partial<ReconciliationRechnung> = {}) =>
    rechnung(id, { client_id: 7, kunde: 'Müßig & Söhne Forst GmbH', zahlbetrag: payable, ...part })
  const known = [{ iban: 'DE89 3704 0044 0532 0130 00', client_id: 7 }]
  test('by an account that has paid before is sure where one invoice has the amount', () => {
    expect(best([own(1, '119.00'), own(2, '50.00'), rechnung(3)], { iban: IBAN }, known)).toMatchObject({
      zuordnungen: [{ rechnung_id: 1 }],
      sicher: true,
      reasons: ['betrag', 'iban'],
    })
    const two = all([own(1, '119.00'), own(2, '119.00')], { iban: IBAN }, known)
    expect(two.suggestions.map(({ sicher }) => sicher)).toEqual([false, false])
    expect(two.suggestions[0]!.reasons).toContain('mehrdeutig')
  })
  test('by an account of two customers, or by name, is not sure', () => {
    const both = [...known, { iban: IBAN, client_id: 8 }]
    expect(best([own(1, '119.00')], { iban: IBAN }, both)!.sicher).toBe(false)
    expect(best([own(1, '119.00'), rechnung(2)], { name: 'MUESSIG UND SOEHNE FORST' })).toMatchObject({
      sicher: false,
      reasons: ['betrag', 'name'],
    })
  })
  test('who names a number that is paid already is not sure', () => {
    const paid = own(9, '119.00', { bezahlt: '119.00', offen: '0.00' })
    const found = all([own(1, '119.00'), paid], { iban: IBAN, zweck: 'RE-2026-0009' }, known)
    expect(found.settled).toEqual(['RE-2026-0009'])
    expect(found.suggestions[0]).toMatchObject({ sicher: false })
    expect(found.suggestions[0]!.reasons).toContain('bezahlt')
  })
  test('pays all of it, or one selection, at once', () => {
    expect(best([own(1, '10.00'), own(2, '20.00')], { iban: IBAN, rest: '30.00' }, known)).toMatchObject({
      zuordnungen: [
        { rechnung_id: 1, betrag: '10.00' },
        { rechnung_id: 2, betrag: '20.00' },
      ],
      sicher: false,
    })
    expect(
      best([own(1, '10.00'), own(2, '20.00'), own(3, '40.00')], { iban: IBAN, rest: '50.00' }, known)!
        .zuordnungen,
    ).toHaveLength(2)
    // 10 + 20 and 30 - 0: two selections match, so none is proposed.
    expect(
      best(
        [own(1, '10.00'), own(2, '20.00'), own(3, '15.00'), own(4, '15.00')],
        { iban: IBAN, rest: '30.00' },
        known,
      ),
    ).toBeUndefined()
  })
  test('pays a part of the only open one', () =>
    expect(best([own(1, '119.00')], { iban: IBAN, rest: '40.00' }, known)).toMatchObject({
      reasons: ['teil', 'iban'],
      sicher: false,
    }))
})

describe('several numbers', () => {
  const two = [rechnung(1, { zahlbetrag: '10.00' }), rechnung(2, { zahlbetrag: '20.00' })]
  const purpose = 'RE-2026-0001 und RE-2026-0002'
  test('whose sum is the amount are sure', () =>
    expect(best(two, { zweck: purpose, rest: '30.00' })).toMatchObject({
      zuordnungen: [{ betrag: '10.00' }, { betrag: '20.00' }],
      sicher: true,
    }))
  test('with discounts in time as well', () => {
    const skonto = [{ tage: 14, prozent: '10.00' }]
    expect(
      best([rechnung(1, { zahlbetrag: '10.00', skonto }), two[1]!], { zweck: purpose, rest: '29.00' }),
    ).toMatchObject({
      zuordnungen: [
        { betrag: '9.00', skonto: true },
        { betrag: '20.00', skonto: false },
      ],
      sicher: true,
    })
  })
  test('of which one has the amount are not sure; less is shared out from the oldest on', () => {
    expect(best(two, { zweck: purpose, rest: '20.00' })).toMatchObject({
      zuordnungen: [{ rechnung_id: 2 }],
      sicher: false,
    })
    const older = [two[0]!, rechnung(2, { zahlbetrag: '20.00', rn_datum: '2026-02-01' })]
    expect(best(older, { zweck: purpose, rest: '25.00' })).toMatchObject({
      zuordnungen: [
        { rechnung_id: 2, betrag: '20.00' },
        { rechnung_id: 1, betrag: '5.00' },
      ],
      sicher: false,
    })
  })
})

describe('money that went out', () => {
  test('goes back on what was paid too much or cancelled', () => {
    const over = rechnung(1, { bezahlt: '129.00', offen: '-10.00' })
    expect(best([over], { rest: '-10.00', zweck: 'Rückzahlung RE-2026-0001' })).toMatchObject({
      zuordnungen: [{ rechnung_id: 1, betrag: '-10.00' }],
      sicher: true,
      reasons: ['nummer', 'rueckzahlung'],
    })
    const cancelled = rechnung(1, { bezahlt: '119.00', offen: '0.00', storniert: true })
    expect(best([cancelled], { rest: '-119.00', zweck: 'RE-2026-0001' })).toMatchObject({ sicher: true })
    expect(best([over], { rest: '-10.00', name: over.kunde })).toMatchObject({
      sicher: false,
      reasons: ['rueckzahlung', 'name'],
    })
  })
  test('is a payment that comes back where the number was paid, and never more than came in', () => {
    const paid = rechnung(1, { bezahlt: '119.00', offen: '0.00' })
    expect(best([paid], { rest: '-119.00', zweck: 'RE-2026-0001 Rückgabe: MD01' })).toMatchObject({
      sicher: false,
      reasons: ['nummer', 'rueckgabe'],
    })
    expect(best([paid], { rest: '-119.01', zweck: 'RE-2026-0001' })).toBeUndefined()
    expect(best([rechnung(1)], { rest: '-119.00', zweck: 'Miete' })).toBeUndefined()
  })
})

test('two entries that claim the same invoice are both not sure', () => {
  const data = { rechnungen: [rechnung(1), rechnung(2, { zahlbetrag: '5.00' })], accountList: [] }
  const found = reconcile(
    [
      umsatz({ id: 1, zweck: 'RE-2026-0001' }),
      umsatz({ id: 2, zweck: 'RE-2026-0001' }),
      umsatz({ id: 3, zweck: 'RE-2026-0002', rest: '5.00' }),
    ],
    data,
  )
  expect(found.map(({ suggestions }) => suggestions[0]!.sicher)).toEqual([false, false, true])
  expect(found[0]!.suggestions[0]!.reasons).toContain('konkurrenz')
})

test('names are the same without umlauts, order, titles and legal forms, and not by a word that many have', () => {
  const same = (one: string, other: string) => isSameName(nameWords(one), nameWords(other))
  expect(same('Müßig & Söhne GmbH', 'MUESSIG SOEHNE')).toBe(true)
  expect(same('Dr. Anna Grünwald', 'GRUENWALD, ANNA')).toBe(true)
  expect(same('Forstbetrieb Nordwald', 'Forstbetrieb Südwald')).toBe(false)
  expect(same('Wald', 'Wald und Wiese eG')).toBe(false)
  expect(same('', 'Wald')).toBe(false)
  expect(same('GmbH', 'GmbH')).toBe(false)
})

test('whatever comes: what is sure leaves nothing over, is no more than is open, and no invoice is sure twice', () =>
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          cents: fc.integer({ min: 1, max: 30 }),
          client: fc.integer({ min: 1, max: 3 }),
          paid: fc.boolean(),
        }),
        {
          minLength: 1,
          maxLength: 8,
        },
      ),
      fc.array(
        fc.record({
          cents: fc.integer({ min: -30, max: 60 }).filter((cents) => cents !== 0),
          numbers: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
          noise: fc.string({ maxLength: 20 }),
          client: fc.integer({ min: 0, max: 3 }),
        }),
        { maxLength: 6 },
      ),
      (invoices, entries) => {
        const euro = (cents: number) => formatCents({ wert: BigInt(cents * 100), decimals: 2 })
        const rechnungen = invoices.map(({ cents, client, paid }, index) =>
          rechnung(index + 1, {
            client_id: client,
            zahlbetrag: euro(cents),
            ...(paid && { bezahlt: euro(cents), offen: '0.00' }),
          }),
        )
        const accountList = [1, 2, 3].map((client_id) => ({ iban: `DE${client_id}`, client_id }))
        const umsaetze = entries.map(({ cents, numbers, noise, client }, index) =>
          umsatz({
            id: index,
            rest: euro(cents),
            iban: `DE${client}`,
            zweck: `${noise} ${numbers.map((n) => `RE-2026-000${n}`).join('\n')}`,
          }),
        )
        const sure = reconcile(umsaetze, { rechnungen, accountList }).flatMap(({ umsatz_id, suggestions }) =>
          suggestions.filter(({ sicher }) => sicher).map((one) => ({ umsatz_id, ...one })),
        )
        for (const { umsatz_id, zuordnungen } of sure)
          expect(formatCents(sum(zuordnungen.map(({ betrag }) => decimal(betrag))))).toBe(
            umsaetze[umsatz_id]!.rest,
          )
        const claimed = sure.flatMap(({ zuordnungen }) => zuordnungen)
        expect(new Set(claimed.map(({ rechnung_id }) => rechnung_id)).size).toBe(claimed.length)
        for (const { rechnung_id, betrag } of claimed)
          expect(Number(betrag)).toBeLessThanOrEqual(
            Number(rechnungen.find((one) => one.rechnung_id === rechnung_id)!.offen),
          )
      },
    ),
    { numRuns: 300 },
  ))

test('2,000 entries against 2,000 invoices are done within seconds', () => {
  const rechnungen = Array.from({ length: 2000 }, (_, index) =>
    rechnung(index + 1, { zahlbetrag: `${index + 1}.00` }),
  )
  const umsaetze = rechnungen.map(({ nummer, zahlbetrag }, id) =>
    umsatz({ id, rest: zahlbetrag, zweck: `Kd ${id} ${nummer.replaceAll('-', ' ')} vom 01.03.2026` }),
  )
  const start = process.cpuUsage()
  const found = reconcile(umsaetze, { rechnungen, accountList: [] })
  expect(found.filter(({ suggestions }) => suggestions[0]?.sicher === true).length).toBeGreaterThan(1990)
  expect(process.cpuUsage(start).user / 1e6).toBeLessThan(6)
})
