// The lines for DATEV and the Umsatzsteuer-Voranmeldung: of each month and rate they have the same, and where a line
// cannot say what the return says, a hint tells how much it is.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatevDifferenceRow, DatevRow, DatevZahlungRow } from '#contract/datev.ts'
import { datevBatch } from '#domain/datev/batch.ts'
import { bookkeeper } from './bookkeeper.ts'
import { enginesToday, type Engine, isMissing, openEngine } from './engines.ts'
import { buildWorld } from './nouns.ts'
import { randomOrders } from './order-rows.ts'
import { grossOf, randomInvoices, randomOf } from './ust-reckoning.ts'
import { scriptOf } from './ust-rows.ts'

const GROUPS = ['S 19.00', 'S 16.00', 'S 7.00', 'E 0.00', 'AE 0.00', 'O 0.00']
const accounts = (first: number) =>
  Object.fromEntries(GROUPS.map((group, index) => [group, String(first + index)]))
const SETTING = {
  adviser: '1001',
  mandant: '1',
  accountDigits: 4,
  bankAccount: '1200',
  revenueAccounts: accounts(8000),
  skontoAccounts: accounts(8700),
  advanceAccounts: accounts(1710),
}
/** Which rate an account stands for. */
const GROUP_OF = new Map(
  [SETTING.revenueAccounts, SETTING.skontoAccounts, SETTING.advanceAccounts].flatMap((each) =>
    Object.entries(each).map(([group, account]) => [account, group] as const),
  ),
)
const MONTHS = Array.from({ length: 20 }, (_, index) => {
  const at = (offset: number) => new Date(Date.UTC(2025, 7 + index + offset, 1))
  return {
    von: at(0).toISOString().slice(0, 10),
    bis: new Date(at(1).getTime() - 86_400_000).toISOString().slice(0, 10),
  }
})
const FIRST = 200_000
const ORDERS = 300_000
const invoices = randomInvoices(16, 80, FIRST)
const orders = randomOrders(randomOf(7), 40, ORDERS)
const cents = (text: string): number => Math.round(Number(text) * 100)

/** By month, subject and rate; rates are missing in money that DATEV takes the tax from. */
type Sums = Map<string, number>
const add = (sums: Sums, key: string, amount: number) => sums.set(key, (sums.get(key) ?? 0) + amount)

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`DATEV and the advance return on ${engineName}`, () => {
    let engine: Engine
    const subjects = new Map<string, string>()
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(scriptOf(invoices))
      await engine.owner.script(
        `begin; set local role forst_betrieb; ${orders.map(({ script }) => script).join('\n')} commit;`,
      )
      await engine.owner.script('select books.seal_missing()')
      const { rows } = await engine.owner.query<{ id: number; nummer: string; subject: number }>(
        `select r.id, r.nummer, coalesce(-o.angebot_id, o.id)::integer as subject
         from app.rechnung r join app.rechnung o on o.id = coalesce(r.storno_von, r.korrektur_von, r.id)
         where r.id >= ${FIRST}`,
      )
      for (const { id, nummer, subject } of rows) {
        subjects.set(nummer, String(subject))
        subjects.set(String(id), String(subject))
      }
    })
    afterAll(() => engine?.close())
    const { run, value } = bookkeeper(() => engine)
    const parsed = <T>(given: unknown): T => (typeof given === 'string' ? JSON.parse(given) : given) as T

    /** The batches of all months: what they say of each tax period, and of the money of each month. */
    const written = async (isByReceived = false) => {
      const [taxed, money, tax, differences]: [Sums, Sums, Sums, DatevDifferenceRow[]] = [
        new Map(),
        new Map(),
        new Map(),
        [],
      ]
      for (const { von, bis } of MONTHS) {
        const belege = (await run<DatevRow>('select * from app.a_get_datev($1, $2)', von, bis)).filter(
          ({ rechnung_id }) => Number(rechnung_id) >= FIRST,
        )
        const payments = await run<DatevZahlungRow>(
          'select * from app.a_get_datev_zahlungen($1, $2)',
          von,
          bis,
        )
        const told = await run<DatevDifferenceRow>(
          `select rechnung_id, nummer, kunde, monat::text as monat, kategorie, satz, declared,
             booked
           from app.a_get_datev_abweichung($1, $2) where rechnung_id >= ${FIRST}`,
          von,
          bis,
        )
        differences.push(...told)
        const { bytes, faults } = datevBatch({
          von,
          bis,
          createdAt: '2026-12-01T00:00:00Z',
          setting: SETTING,
          belege: belege.map(({ beleg }) => ({ beleg: parsed<DatevRow['beleg']>(beleg), debitor: '10001' })),
          zahlungen: payments
            .filter(({ rechnung_id }) => Number(rechnung_id) >= FIRST)
            .map((one) => ({
              ...one,
              datum: String(one.datum).slice(0, 10),
              debitor: '10001',
              steuern: parsed<DatevZahlungRow['steuern']>(one.steuern),
              anzahlungen: parsed<DatevZahlungRow['anzahlungen']>(one.anzahlungen),
            })),
        })
        expect(faults.filter(({ severity, code }) => severity !== 'hinweis' && code !== 'leer')).toEqual([])
        const lines = new TextDecoder('windows-1252').decode(bytes).split('\r\n').slice(2, -1)
        for (const cells of lines.map((each) => each.split(';').map((cell) => cell.replaceAll('"', '')))) {
          const amount = cents(cells[0]!.replace(',', '.')) * (cells[1] === 'S' ? 1 : -1)
          const subject = subjects.get(cells[10]!)!
          const period = cells[115]!
          if (cells[7] === '1200') {
            add(money, `${von.slice(0, 7)} ${subject}`, -amount)
            expect(period).toBe('')
            continue
          }
          expect(period, cells.join(';')).toMatch(/^\d{8}$/)
          expect(cells[114]).toMatch(/^\d{8}$/)
          const group = GROUP_OF.get(cells[7]!)!
          const key = `${period.slice(4)}-${period.slice(2, 4)} ${subject} ${group}`
          if (isByReceived && !cells[13]!.startsWith('Abschlag erhalten')) continue
          add(taxed, key, amount)
          const rate = Number(group.split(' ')[1])
          add(tax, key, Math.sign(amount) * Math.round((Math.abs(amount) * rate) / (100 + rate)))
        }
      }
      return { taxed, money, tax, differences }
    }
    interface Told {
      readonly rechnung_id: number
      readonly art: string
      readonly le_date: string
      readonly kategorie: string
      readonly satz: string
      readonly basis: string
      readonly steuer: string
      readonly eu: boolean
      readonly leistungsort: string | null
    }
    const returned = async () => {
      const rows: (Told & { monat: string })[] = []
      for (const { von, bis } of MONTHS)
        for (const row of await run<Told>(
          `select rechnung_id, art, le_date::text as le_date, kategorie, satz, basis, steuer, eu, leistungsort
           from app.a_get_ust($1, $2) where rechnung_id >= ${FIRST}`,
          von,
          bis,
        ))
          rows.push({ ...row, monat: von.slice(0, 7) })
      return rows
    }
    const grossCents = ({ basis, steuer }: Told): number => cents(basis) + cents(steuer)
    const keyOf = ({ monat, rechnung_id, kategorie, satz }: Told & { monat: string }): string =>
      `${monat} ${subjects.get(String(rechnung_id))} ${kategorie} ${satz}`
    /** Services within the EU count when they are supplied, however the rest is taxed (§ 18b sentence 3 UStG). */
    const isEuService = ({ kategorie, eu, leistungsort }: Told): boolean =>
      kategorie === 'AE' && eu && (leistungsort ?? 'kein_grundstueck') === 'kein_grundstueck'
    const differencesOf = (rows: readonly DatevDifferenceRow[]): Sums => {
      const sums: Sums = new Map()
      for (const { monat, rechnung_id, kategorie, satz, declared, booked } of rows)
        add(
          sums,
          `${monat.slice(0, 7)} ${subjects.get(String(rechnung_id))} ${kategorie} ${satz}`.trimEnd(),
          cents(declared) - cents(booked),
        )
      return sums
    }
    /** What is left apart from the cents of rounding. */
    const left = (wanted: Sums, given: Sums, differences: Sums): string[] =>
      [...new Set([...wanted.keys(), ...given.keys(), ...differences.keys()])]
        .map((key) => {
          const [one, other, told] = [wanted, given, differences].map((sums) => sums.get(key) ?? 0)
          return [key, one! - other! - told!] as const
        })
        .filter(([, rest]) => Math.abs(rest) > 2)
        .map(([key, rest]) => `${key} ${rest}`)

    /** Nothing that a line cannot say: no money too early or too much, nothing lost, cancelled or taken back. */
    const plain = new Set([
      ...invoices
        .filter(
          ({ payments, storno, corrections, replaced, advance, supplied, lines, ...one }) =>
            advance === 0n &&
            corrections.length === 0 &&
            replaced === null &&
            (storno === null || payments.length === 0) &&
            payments.every(
              ({ art, day }) =>
                art !== 'ausfall' && day >= supplied && lines.every((line) => (line.day ?? '') <= day),
            ) &&
            payments.reduce((sum, each) => sum + each.cents, 0n) <= grossOf({ ...one, lines }),
        )
        .map(({ id }) => String(id)),
      ...orders.filter(({ isPlain }) => isPlain).map(({ id }) => String(-id)),
    ])

    test('by agreed consideration: lines and hints are the return, by month and rate', async () => {
      await value(`app.a_set_lieferant('{"besteuerung": "soll", "besteuerung_ab": []}')`)
      const [{ taxed, tax, differences }, rows] = [await written(), await returned()]
      const [wanted, wantedTax]: [Sums, Sums] = [new Map(), new Map()]
      for (const row of rows) {
        add(wanted, keyOf(row), grossCents(row))
        add(wantedTax, keyOf(row), cents(row.steuer))
      }
      const sums = differencesOf(differences)
      expect(left(wanted, taxed, sums)).toEqual([])
      // Plain documents need no hint, and the tax that DATEV takes from the gross amount is the return's.
      expect(plain.size).toBeGreaterThan(40)
      expect(differences.filter(({ rechnung_id }) => plain.has(subjects.get(String(rechnung_id))!))).toEqual(
        [],
      )
      expect(
        [...wantedTax].filter(
          ([key, amount]) => plain.has(key.split(' ')[1]!) && Math.abs(amount - (tax.get(key) ?? 0)) > 3,
        ),
      ).toEqual([])
      expect(sums.size).toBeGreaterThan(20)
    })

    test('by received consideration: the money of each month is what the return has', async () => {
      await value(`app.a_set_lieferant('{"besteuerung": "ist", "besteuerung_ab": []}')`)
      const [{ taxed, money, differences }, rows] = [await written(true), await returned()]
      const [whenPaid, advances]: [Sums, Sums] = [new Map(), new Map()]
      for (const row of rows) {
        const key = `${row.monat} ${subjects.get(String(row.rechnung_id))}`
        if (row.art === 'abschlag') add(advances, keyOf(row), grossCents(row))
        if (row.art === 'abschlag' || !isEuService(row)) add(whenPaid, key, grossCents(row))
      }
      const sums = differencesOf(differences)
      const isMoney = (key: string): boolean => key.split(' ').length === 2
      const only = (each: Sums, keep: (key: string) => boolean): Sums =>
        new Map([...each].filter(([key]) => keep(key)))
      // Of services within the EU alone the money counts nowhere.
      const services = new Set(
        rows.filter(isEuService).map(({ rechnung_id }) => subjects.get(String(rechnung_id))!),
      )
      const counted = only(
        money,
        (key) => whenPaid.has(key) || sums.has(key) || !services.has(key.split(' ')[1]!),
      )
      expect(left(whenPaid, counted, only(sums, isMoney))).toEqual([])
      expect(advances.size).toBeGreaterThan(40)
      // What an advance is for is in the lines, however its invoice is taxed.
      const received = only(taxed, (key) => advances.has(key))
      expect(left(advances, received, new Map())).toEqual([])
    })
  })
