// Asks the product for the figures of a year through its own calls, and names every one that is not as
// calculated: which figure, when, and the documents it is made of.
import type { Beleg } from '#domain/beleg.ts'
import { datevBatch } from '#domain/datev/batch.ts'
import { formatDecimal } from '#domain/geld.ts'
import { advanceReturn } from '#domain/ust/return.ts'
import type { Lieferant } from '#contract/buchhaltung.ts'
import type { SepaRun } from '#contract/sepa.ts'
import type { InputTaxRow, UstRow } from '#contract/ust.ts'
import type { DatevRow, DatevZahlungRow } from '#contract/datev.ts'
import type { CustomerAccount, MahnungRow, OpenItem } from '#contract/zahlung.ts'
import type { Office } from './office.ts'
import type { PlayedYear } from './player.ts'

type Amounts = readonly string[]
/** What `test/year/reckoning.py` writes. */
export interface Reckoned {
  readonly ust: Readonly<Record<Setting, Readonly<Record<string, Amounts>>>>
  readonly ust_documents: Readonly<
    Record<Setting, Readonly<Record<string, Readonly<Record<string, Amounts>>>>>
  >
  /** By period and figure. */
  readonly input_tax: Readonly<Record<string, string>>
  readonly datev: Readonly<Record<string, Amounts>>
  readonly open_items: Readonly<
    Record<string, Readonly<Record<string, Readonly<Record<string, string | number>>>>>
  >
  readonly statements: Readonly<
    Record<string, Omit<CustomerAccount, 'kunde' | 'zeilen'> & { readonly zeilen: readonly Amounts[] }>
  >
  readonly documents: Readonly<Record<string, Amounts>>
  readonly cancels: Readonly<Record<string, string>>
  readonly reminders: Readonly<Record<string, readonly unknown[]>>
  readonly debits: readonly {
    readonly day: string
    readonly collect: string
    readonly count: number
    readonly sum: string
    readonly numbers: readonly string[]
  }[]
  readonly asked: Readonly<
    Record<
      string,
      {
        readonly cashflow: Readonly<Record<string, Readonly<Record<string, string>>>>
        readonly overview: {
          readonly monate: Readonly<Record<string, Amounts>>
          readonly kunden: Readonly<Record<string, Amounts>>
          readonly offen: readonly unknown[]
          readonly ueberfaellig: readonly unknown[]
          readonly zurueck: readonly unknown[]
          readonly angebote: Readonly<Record<string, readonly unknown[]>>
        }
      }
    >
  >
  readonly archive: readonly string[]
}
type Setting = 'soll' | 'ist'

export interface Compared {
  /** How many figures were compared. */
  readonly figures: number
  readonly differences: readonly string[]
}

const ZERO = ['0.00', '0.00']
const lastDay = (month: string): string => {
  const [year, at] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, at!, 0)).toISOString().slice(0, 10)
}
const monthsBetween = (from: string, to: string): string[] => {
  const months: string[] = []
  for (let at = new Date(`${from.slice(0, 7)}-01T00:00:00Z`); ; at.setUTCMonth(at.getUTCMonth() + 1)) {
    const month = at.toISOString().slice(0, 7)
    if (month > to.slice(0, 7)) return months
    months.push(month)
  }
}
const sumOf = (texts: readonly string[]): string => {
  const cents = texts.reduce((sum, text) => sum + BigInt(text.replace('.', '')), 0n)
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export async function compareYear(
  office: Office,
  { facts, readings, ids }: PlayedYear,
  reckoned: Reckoned,
): Promise<Compared> {
  const differences: string[] = [...reckoned.archive]
  let figures = 0
  const rpc = <T>(name: string, body: object): Promise<T> => office.ask<T>(`/rest/rpc/${name}`, body)
  const same = (what: string, wanted: unknown, found: unknown, more: () => string = () => ''): void => {
    figures += 1
    const [mine, theirs] = [JSON.stringify(wanted), JSON.stringify(found)]
    if (mine !== theirs) differences.push(`${what}: reckoned ${mine}, product ${theirs}${more()}`)
  }
  const sameKeys = <T>(
    what: string,
    wanted: Readonly<Record<string, T>>,
    found: Readonly<Record<string, T>>,
    none: unknown,
    more: (key: string) => string = () => '',
  ): void => {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(found)]))
      same(`${what} ${key}`, wanted[key] ?? none, found[key] ?? none, () => more(key))
  }
  const months = monthsBetween(facts.from, facts.to)

  /** Number, sums and what the letter demands. */
  async function documents(): Promise<void> {
    for (const [ref, wanted] of Object.entries(reckoned.documents)) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const { nummer, summen } = await rpc<Beleg>('a_get_beleg', { art: 'rechnung', id: ids.get(ref) })
      const { netto, steuer, brutto, zahlbetrag } = summen
      same(`document ${ref}`, wanted, [nummer, netto, steuer, brutto, zahlbetrag])
    }
    for (const [ref, wanted] of Object.entries(reckoned.cancels)) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const { nummer } = await rpc<Beleg>('a_get_beleg', { art: 'rechnung', id: ids.get(ref) })
      same(`Storno ${ref}`, wanted, nummer)
    }
  }

  /** Each figure of the form, by month and quarter. */
  async function turnoverTax(setting: Setting): Promise<void> {
    await rpc('a_set_lieferant', { werte: { besteuerung: setting } })
    const wanted = reckoned.ust[setting]
    const quarters = [
      ...new Set(months.map((month) => `${month.slice(0, 4)}-q${Math.ceil(Number(month.slice(5)) / 3)}`)),
    ]
    // Supplies before the first month and after the last one are declared too.
    const asked = [...new Set([...Object.keys(wanted).map((key) => key.slice(0, 7)), ...months, ...quarters])]
    for (const period of asked) {
      const [year = '', part = ''] = period.split('-')
      const first = part.startsWith('q')
        ? `${year}-${String(Number(part[1]) * 3 - 2).padStart(2, '0')}`
        : period
      const last = part.startsWith('q') ? `${year}-${String(Number(part[1]) * 3).padStart(2, '0')}` : period
      // oxlint-disable-next-line no-await-in-loop -- period after period
      const rows = await rpc<UstRow[]>('a_get_ust', { von: `${first}-01`, bis: lastDay(last) })
      // oxlint-disable-next-line no-await-in-loop -- as above
      const received = await rpc<InputTaxRow[]>('a_get_vorsteuer', { von: `${first}-01`, bis: lastDay(last) })
      // The form of the year of the facts, also for what was supplied in the year before.
      const found = advanceReturn('2026', rows, received)!
      for (const { kennzahl, tax } of found.deducted)
        same(
          `input tax ${period} ${kennzahl.nr}`,
          reckoned.input_tax[`${period} ${kennzahl.nr}`] ?? '0.00',
          formatDecimal(tax),
        )
      for (const rest of found.rests) same(`${period} without a figure`, '', rest.reason)
      for (const figure of found.figures) {
        const key = `${period} ${figure.kennzahl.nr}`
        const byDocument = Map.groupBy(figure.rows, ({ nummer }) => nummer)
        same(
          `USt by ${setting === 'soll' ? 'agreed' : 'received'} consideration, ${key}`,
          wanted[key] ?? ['0.00', '0.00', '0', '0.00'],
          [figure.basis, figure.tax, figure.formBasis, figure.formTax].map(formatDecimal),
          () => {
            const own = reckoned.ust_documents[setting][key] ?? {}
            const numbers = new Set([...Object.keys(own), ...byDocument.keys()])
            const differing = [...numbers].flatMap((number) => {
              const rowsOf = byDocument.get(number) ?? []
              const theirs = [
                sumOf(rowsOf.map(({ basis }) => basis)),
                sumOf(rowsOf.map(({ steuer }) => steuer)),
              ]
              const mine = own[number] ?? ZERO
              return String(mine) === String(theirs)
                ? []
                : `${number} ${mine.join('/')} ≠ ${theirs.join('/')}`
            })
            return `; by document: ${differing.join(', ')}`
          },
        )
      }
    }
    await rpc('a_set_lieferant', { werte: { besteuerung: 'soll' } })
  }

  /** Debit and credit of every account in every month's batch, as they stand in the file. */
  async function datev(): Promise<void> {
    const [setting] = await office.ask<Lieferant[]>('/rest/lieferant?select=*')
    const found: Record<string, string[]> = {}
    const lines: Record<string, string[]> = {}
    for (const month of months) {
      const period = { von: `${month}-01`, bis: lastDay(month) }
      // oxlint-disable-next-line no-await-in-loop -- month after month
      const [rows, zahlungen] = await Promise.all([
        rpc<DatevRow[]>('a_get_datev', period),
        rpc<DatevZahlungRow[]>('a_get_datev_zahlungen', period),
      ])
      const batch = datevBatch({
        ...period,
        createdAt: `${period.bis}T12:00:00Z`,
        setting: {
          adviser: setting!.datev_berater,
          mandant: setting!.datev_mandant,
          accountDigits: setting!.datev_kontenlaenge,
          revenueAccounts: setting!.datev_erloeskonten,
          chartOfAccounts: setting!.datev_rahmen,
          bankAccount: setting!.datev_bankkonto,
          skontoAccounts: setting!.datev_skontokonten,
          advanceAccounts: setting!.datev_anzahlungskonten,
        },
        belege: rows.map(({ beleg, debitor }) => ({ beleg, debitor })),
        zahlungen,
      })
      for (const { severity, text } of batch.faults)
        if (severity === 'fehler' && rows.length + zahlungen.length > 0) same(`DATEV ${month}`, '', text)
      for (const line of new TextDecoder('windows-1252').decode(batch.bytes).split('\r\n').slice(2, -1)) {
        const cells = line.split(';').map((cell) => cell.replaceAll('"', ''))
        const [amount = '', side = ''] = cells
        const [account = '', other = '', number = ''] = [cells[6], cells[7], cells[10]]
        for (const [name, isDebit] of [
          [account, side === 'S'],
          [other, side === 'H'],
        ] as const) {
          const key = `${month} ${name}`
          const sums = (found[key] ??= [...ZERO])
          const at = isDebit ? 0 : 1
          sums[at] = sumOf([sums[at]!, amount.replace(',', '.')])
          ;(lines[key] ??= []).push(`${number} ${isDebit ? 'S' : 'H'} ${amount}`)
        }
      }
    }
    sameKeys<Amounts>(
      'DATEV debit and credit',
      reckoned.datev,
      found,
      ZERO,
      (key) => `; lines: ${lines[key]?.join(', ')}`,
    )
  }

  async function openItems(): Promise<void> {
    for (const [day, wanted] of Object.entries(reckoned.open_items)) {
      // oxlint-disable-next-line no-await-in-loop -- day after day
      const rows = await rpc<OpenItem[]>('a_get_offene_posten', { stichtag: day })
      const found = Object.fromEntries(
        rows.map(({ nummer, brutto, bezahlt, offen, tage, klasse, stufe, faellig, client_id }) => [
          nummer,
          { brutto, bezahlt, offen, tage, klasse, stufe, faellig, client_id },
        ]),
      )
      sameKeys<object>(`open items of ${day},`, wanted, found, null)
    }
  }

  async function statements(): Promise<void> {
    for (const [client_id, wanted] of Object.entries(reckoned.statements)) {
      // oxlint-disable-next-line no-await-in-loop -- customer after customer
      const account = await rpc<CustomerAccount>('a_get_kundenkonto', {
        client_id,
        von: facts.from,
        bis: facts.to,
      })
      const { anfang, ende, gebuehren, pauschalen, zeilen } = account
      const what = `statement of ${account.kunde},`
      same(
        `${what} balances, fees, lump sums`,
        [wanted.anfang, wanted.ende, wanted.gebuehren, wanted.pauschalen],
        [anfang, ende, gebuehren, pauschalen],
      )
      const found = zeilen.map(({ datum, art, nummer, betrag }) => [datum, art, nummer, betrag])
      const byText = (one: Amounts, other: Amounts) => (String(one) < String(other) ? -1 : 1)
      same(`${what} lines`, wanted.zeilen.toSorted(byText), found.toSorted(byText))
      let balance = anfang
      for (const { datum, art, nummer, betrag, saldo } of zeilen) {
        balance = sumOf([balance, betrag])
        same(`${what} balance after ${art} ${nummer} of ${datum}`, balance, saldo)
        balance = saldo
      }
    }
  }

  async function reminders(): Promise<void> {
    for (const [ref, wanted] of Object.entries(reckoned.reminders)) {
      // oxlint-disable-next-line no-await-in-loop -- one after another
      const rows = await rpc<MahnungRow[]>('a_get_mahnungen', { invoice_id: ids.get(ref) })
      const found = rows
        .toSorted((one, other) => one.stufe - other.stufe)
        .map(({ stufe, gebuehr, zinsen, pauschale, zinsen_ab }) => [
          stufe,
          gebuehr,
          zinsen,
          pauschale,
          zinsen_ab,
        ])
      same(`reminders of ${reckoned.documents[ref]![0]}: level, fee, interest, lump sum, from`, wanted, found)
    }
  }

  async function debits(): Promise<void> {
    const runs = await rpc<SepaRun[]>('a_get_sepa_laeufe', {})
    for (const { day, collect, count, sum, numbers } of reckoned.debits) {
      const run = runs.find(({ id }) => id === ids.get(`L ${day}`))
      same(
        `direct debits of ${day}`,
        [collect, count, sum, numbers],
        [run?.tag, run?.anzahl, run?.summe, run?.zeilen.map(({ nummer }) => nummer).toSorted()],
      )
    }
  }

  /** As the product answered on the day itself. */
  function expectations(): void {
    for (const { day, cashflow, overview } of readings) {
      const wanted = reckoned.asked[day]!
      const rows = Object.fromEntries(
        cashflow.map(({ von, einnahmen, ausgaben, offen, ueberfaellig, zurueck, angenommen, erwartet }) => [
          von.slice(0, 7),
          { einnahmen, ausgaben, offen, ueberfaellig, zurueck, angenommen, erwartet },
        ]),
      )
      sameKeys<object>(`forecast of ${day},`, wanted.cashflow, rows, null)
      const { rechnungen, monate, kunden, angebote } = overview
      const mine = wanted.overview
      sameKeys<Amounts>(
        `overview of ${day}, revenue`,
        mine.monate,
        Object.fromEntries(monate.map(({ monat, netto, brutto }) => [monat, [netto, brutto]])),
        ZERO,
      )
      if (kunden.length < 10)
        sameKeys<Amounts>(
          `overview of ${day}, customer`,
          mine.kunden,
          Object.fromEntries(
            kunden.map(({ client_id, netto, brutto }) => [String(client_id), [netto, brutto]]),
          ),
          ZERO,
        )
      for (const what of ['offen', 'ueberfaellig', 'zurueck'] as const) {
        const { anzahl, betrag } = rechnungen[what]
        same(`overview of ${day}, ${what}`, mine[what], [anzahl, betrag])
      }
      sameKeys<readonly unknown[]>(
        `overview of ${day}, offers`,
        mine.angebote,
        Object.fromEntries(
          angebote.map(({ stand, anzahl, netto, brutto, rest }) => [stand, [anzahl, netto, brutto, rest]]),
        ),
        null,
      )
    }
  }

  await documents()
  await turnoverTax('soll')
  await turnoverTax('ist')
  await datev()
  await openItems()
  await statements()
  await reminders()
  await debits()
  expectations()
  return { figures, differences }
}
