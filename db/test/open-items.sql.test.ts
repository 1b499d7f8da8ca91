// What customers owed on a day, against an independent calculation: every movement of many invoices, added up
// here day by day, in cents.
import { officeDay } from '#server/office-day.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CustomerAccount, OpenItem } from '#contract/zahlung.ts'
import { addDays, daysBetween } from '#domain/day.ts'
import { OPEN_A, OPEN_B } from './cells/zahlung.ts'
import { refusalOf } from './attempt.ts'
import { asCaller, enginesToday, type Engine, isMissing, openEngine, sql } from './engines.ts'
import { buildWorld } from './nouns.ts'
import * as w from './world.ts'

const FIRST = '2025-01-01'
const TODAY = officeDay(new Date())
const cents = (text: string): number => Math.round(Number(text) * 100)
const euros = (sum: number): string => (sum / 100).toFixed(2)

interface Payment {
  readonly day: string
  readonly amount: number
  readonly art: 'zahlung' | 'skonto' | 'ausfall'
  /** Day on which it was taken back. */
  readonly taken?: string
}
interface Invoice {
  readonly id: number
  readonly client: number
  readonly day: string
  readonly due: string
  readonly gross: number
  readonly advance: number
  readonly cancelled?: string
  readonly payments: readonly Payment[]
  readonly reminders: readonly string[]
}

/** The same numbers in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}
function invoices(count: number): Invoice[] {
  const next = numbers(7)
  return Array.from({ length: count }, (_, at) => {
    const day = addDays(FIRST, next(500))
    const due = addDays(day, next(40))
    const gross = 1 + next(500_000)
    const advance = next(5) === 0 ? next(gross) : 0
    const payments: Payment[] = []
    const pay = (amount: number, more: Partial<Payment> = {}) => {
      if (amount !== 0) payments.push({ day: addDays(day, next(160) - 20), amount, art: 'zahlung', ...more })
    }
    const left = gross - advance
    const kind = next(8)
    // Paid, in two parts, with cash discount, too much and back, as a loss, wrongly, by half, not at all.
    if (kind === 0) pay(left)
    if (kind === 1) {
      const part = next(left)
      pay(part)
      pay(left - part)
    }
    if (kind === 2) {
      pay(left - Math.floor(left / 50))
      pay(Math.floor(left / 50), { art: 'skonto' })
    }
    if (kind === 3) {
      pay(left + 1000, { day: addDays(day, 5) })
      if (next(2) === 0) pay(-1000, { day: addDays(day, 50) })
    }
    if (kind === 4) pay(left, { art: 'ausfall' })
    if (kind === 5) pay(left, { day: addDays(day, 10), taken: addDays(day, 10 + next(100)) })
    if (kind === 6) pay(Math.ceil(left / 2))
    const levels = kind === 7 ? next(4) : 0
    return {
      id: 2000 + at,
      client: at % 3 === 0 ? w.B : w.A,
      day,
      due,
      gross,
      advance,
      ...(next(6) === 0 && { cancelled: addDays(day, next(90)) }),
      payments,
      reminders: Array.from({ length: levels }, (_each, level) => addDays(due, 5 + 20 * level)),
    }
  })
}
const ALL = invoices(300)

/** As it is inserted by operations, in the order of issue. */
function statements(all: readonly Invoice[]): string {
  const beleg = `'{"positionen": [], "skonto": []}'::jsonb`
  const issued = all.map(
    ({ id, client, day, due, gross, advance }) =>
      `(${id}, ${client}, '${day}', 19, 'ausgestellt', 'T-${id}', ${id}, '${day}', '${due}', ${euros(gross)},
        0, ${euros(gross)}, ${euros(advance)}, ${euros(gross - advance)}, ${beleg})`,
  )
  const undone = all.flatMap(({ id, client, gross, advance, cancelled }) =>
    cancelled === undefined
      ? []
      : `(${id + 5000}, ${client}, '${cancelled}', 19, 'ausgestellt', 'S-${id}', ${id + 5000}, '${cancelled}',
          '${cancelled}', ${euros(-gross)}, 0, ${euros(-gross)}, ${euros(-advance)},
          ${euros(advance - gross)}, ${beleg}, 'storno', ${id})`,
  )
  const paid = all.flatMap(({ id, client, payments }) =>
    payments.map(({ day, amount, art }) => `(${client}, ${id}, '${day}', ${euros(amount)}, '${art}')`),
  )
  const taken = all.flatMap(({ id, payments }) =>
    payments.flatMap((one) => (one.taken === undefined ? [] : `(${id}, '${one.taken}'::date)`)),
  )
  const reminded = all.flatMap(({ id, client, reminders }) =>
    reminders.map((day, at) => `(${client}, ${id}, ${at + 1}, '${day}', '${addDays(day, 10)}', '{}')`),
  )
  const columns = `id, client_id, rn_datum, ust_satz, zustand, nummer, folge, ausgestellt_am, faellig, netto,
    steuer, brutto, anzahlung, zahlbetrag, beleg`
  return `
    insert into app.rechnung (${columns}) values ${issued.join(',\n')};
    insert into app.rechnung (${columns}, art, storno_von) values ${undone.join(',\n')};
    insert into app.zahlung (client_id, rechnung_id, datum, betrag, art) values ${paid.join(',\n')};
    insert into app.zahlung (client_id, rechnung_id, datum, betrag, art, gegen_id)
      select z.client_id, z.rechnung_id, t.tag, -z.betrag, z.art, z.id
      from (values ${taken.join(',')}) as t(id, tag) join app.zahlung z on z.rechnung_id = t.id;
    insert into app.mahnung (client_id, rechnung_id, stufe, datum, faellig, beleg)
      values ${reminded.join(',\n')};`
}

const ageOf = (days: number): OpenItem['klasse'] =>
  days <= 0
    ? 'nicht_faellig'
    : days <= 30
      ? 'bis_30'
      : days <= 60
        ? 'bis_60'
        : days <= 90
          ? 'bis_90'
          : 'ueber_90'

/** Without what is the same on every day. */
const compared = (item: OpenItem): Partial<OpenItem> =>
  Object.fromEntries(
    Object.entries(item).filter(([key]) => !['kunde', 'nummer', 'rn_datum', 'faellig'].includes(key)),
  )

/** Written from the description of the list, not from its query. */
function expected(all: readonly Invoice[], until: string): Partial<OpenItem>[] {
  return all.flatMap((invoice) => {
    const { id, client, day, due, gross, advance, cancelled } = invoice
    const paid = invoice.payments
      .filter((one) => one.taken === undefined && one.day <= until)
      .reduce((sum, { amount }) => sum + amount, 0)
    const begun = day <= until
    const isCancelled = cancelled !== undefined && cancelled <= until
    const claims = begun && !isCancelled
    const open = (claims ? gross - advance : 0) - paid
    if (open === 0) return []
    const days = daysBetween(due, until)
    return {
      rechnung_id: id,
      client_id: client,
      brutto: euros(claims ? gross : 0),
      bezahlt: euros(paid + (claims ? advance : 0)),
      offen: euros(open),
      tage: open > 0 ? Math.max(days, 0) : 0,
      klasse: open < 0 ? ('guthaben' as const) : ageOf(days),
      stufe: invoice.reminders.filter((one) => one <= until).length as OpenItem['stufe'],
      lage: !begun ? 'vorauszahlung' : isCancelled ? 'storniert' : open < 0 ? 'ueberzahlt' : 'offen',
    } satisfies Partial<OpenItem>
  })
}

for (const engineName of enginesToday(import.meta.filename))
  describe.skipIf(isMissing(engineName))(`open items on ${engineName}`, () => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(engineName)
      await buildWorld(engine.owner)
      await engine.owner.script(`begin; set local role forst_betrieb; ${statements(ALL)} commit`)
    })
    afterAll(() => engine?.close())
    const ask = async <T>(text: string, ...values: unknown[]): Promise<T[]> =>
      (await engine.api.once<T>(asCaller(w.claimsOf('apus_admin')), sql(text, ...values))).rows
    const items = (until: string) =>
      ask<OpenItem>('select * from app.a_get_offene_posten($1::date)', until).then((rows) =>
        rows.map((row) => ({
          ...row,
          rechnung_id: Number(row.rechnung_id),
          client_id: Number(row.client_id),
        })),
      )
    const byId = (a: Partial<OpenItem>, b: Partial<OpenItem>) => a.rechnung_id! - b.rechnung_id!

    test('are on every day what the movements say', async () => {
      const found = new Set<string>()
      for (let day = addDays(FIRST, -25); day <= TODAY; day = addDays(day, 23)) {
        const rows = (await items(day)).filter(({ rechnung_id }) => rechnung_id >= 2000)
        expect(rows.toSorted(byId).map(compared), day).toEqual(expected(ALL, day).toSorted(byId))
        for (const { klasse, lage } of rows) found.add(klasse).add(lage)
      }
      expect([...found].toSorted()).toEqual(
        'bis_30 bis_60 bis_90 guthaben nicht_faellig offen storniert ueber_90 ueberzahlt vorauszahlung'.split(
          ' ',
        ),
      )
    })
    test('add up to the cent: gross less what is settled, and today to what the lists say', async () => {
      const rows = await items(TODAY)
      for (const { brutto, bezahlt, offen } of rows) expect(cents(brutto) - cents(bezahlt)).toBe(cents(offen))
      const [{ sum }] = (await ask<{ sum: string }>(
        'select sum(offen)::text as sum from app.rechnung_liste',
      )) as [{ sum: string }]
      expect(euros(rows.reduce((all, { offen }) => all + cents(offen), 0))).toBe(sum)
    })
    test('come by customer, with the customer’s name, today unless a day is asked for', async () => {
      const rows = await ask<OpenItem>('select * from app.a_get_offene_posten()')
      expect(rows).toEqual(await ask('select * from app.a_get_offene_posten($1::date)', TODAY))
      expect(rows.find(({ rechnung_id }) => Number(rechnung_id) === OPEN_A)).toMatchObject({
        kunde: 'Forst A',
        nummer: 'RE-2026-0002a',
        offen: '100.00',
        stufe: 1,
        klasse: 'ueber_90',
      })
      const names = rows.map(({ kunde }) => kunde)
      expect(names).toEqual(names.toSorted())
      expect(rows.map(({ rechnung_id }) => Number(rechnung_id))).toContain(OPEN_B)
    })
    describe('a customer’s account', () => {
      const account = async (client: number, start: string, bis: string): Promise<CustomerAccount> => {
        const [{ json }] = (await ask<{ json: string }>(
          'select app.a_get_kundenkonto($1, $2::date, $3::date)::text as json',
          client,
          start,
          bis,
        )) as [{ json: string }]
        return JSON.parse(json) as CustomerAccount
      }
      const owed = async (client: number, day: string): Promise<string> =>
        euros(
          (await items(day))
            .filter(({ client_id }) => client_id === client)
            .reduce((sum, { offen }) => sum + cents(offen), 0),
        )
      test('begins and ends with what was open on these days, and every line follows from the one before', async () => {
        for (const client of [w.A, w.B])
          for (let day = addDays(FIRST, -10); day < TODAY; day = addDays(day, 97)) {
            const bis = addDays(day, 61)
            const { anfang, ende, zeilen } = await account(client, day, bis)
            expect([anfang, ende], `${client} ${day}`).toEqual([
              await owed(client, addDays(day, -1)),
              await owed(client, bis),
            ])
            let balance = cents(anfang)
            for (const { betrag, saldo, datum } of zeilen) {
              balance += cents(betrag)
              expect(cents(saldo)).toBe(balance)
              expect(datum >= day && datum <= bis).toBe(true)
            }
            expect(balance).toBe(cents(ende))
          }
      })
      test('names each movement; fees stand outside the balance, what was taken back nowhere', async () => {
        const { kunde, gebuehren, zeilen } = await account(w.A, '2026-01-01', '2026-02-28')
        expect(kunde).toBe('Forst A')
        expect(gebuehren).toBe('0.00')
        const own = zeilen.filter(({ rechnung_id }) => rechnung_id === OPEN_A)
        expect(own.map(({ art, datum, betrag }) => [art, datum, betrag])).toEqual([
          ['rechnung', '2026-01-05', '119.00'],
          ['zahlung', '2026-02-01', '-19.00'],
          ['mahnung', '2026-02-10', '0.00'],
        ])
        const all = (await account(w.A, FIRST, TODAY)).zeilen
        expect([...new Set(all.map(({ art }) => art))].toSorted()).toEqual(
          'ausfall mahnung rechnung rueckzahlung skonto storno zahlung'.split(' '),
        )
        const wrong = ALL.filter(({ payments }) => payments.some(({ taken }) => taken !== undefined))
        expect(wrong.length).toBeGreaterThan(5)
        for (const { id } of wrong)
          expect(all.filter(({ rechnung_id, art }) => rechnung_id === id && art === 'zahlung')).toEqual([])
      })
      test('is refused for days that are none, and for nobody', async () => {
        expect(await refusalOf(account(w.A, '2026-02-01', '2026-01-31'))).toBe('23514 von zeitraum')
        expect(await refusalOf(account(w.A, '1999-12-31', '2026-01-31'))).toBe('23514 von zeitraum')
        expect(await refusalOf(account(999, '2026-01-01', '2026-01-31'))).toMatch(/^PT404/)
      })
    })
    test('steps of age begin on their days', async () => {
      const due = '2026-01-19'
      const ages = async (days: number) =>
        (await items(addDays(due, days)))
          .filter(({ rechnung_id }) => rechnung_id === OPEN_A)
          .map(({ tage, klasse }) => [tage, klasse])
      expect(await ages(0)).toEqual([[0, 'nicht_faellig']])
      expect(await ages(1)).toEqual([[1, 'bis_30']])
      expect(await ages(30)).toEqual([[30, 'bis_30']])
      expect(await ages(31)).toEqual([[31, 'bis_60']])
      expect(await ages(60)).toEqual([[60, 'bis_60']])
      expect(await ages(61)).toEqual([[61, 'bis_90']])
      expect(await ages(90)).toEqual([[90, 'bis_90']])
      expect(await ages(91)).toEqual([[91, 'ueber_90']])
    })
    test('a day that is none of the office’s is refused', async () => {
      for (const day of ['1999-12-31', '2101-01-01', 'infinity'])
        expect(await refusalOf(items(day)), day).toBe('23514 stichtag datum_bereich')
    })
  })
