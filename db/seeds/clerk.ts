// The bookkeeper of the trial: enters invoices and payments by the same procedures as a person.
import { decimal, formatCents, percentOf, round2, subtract } from '#domain/geld.ts'
import { accountOf, type SampleRechnung } from './sample-books.ts'
import type { Line } from './sample-lines.ts'
import type { SampleTarget } from './target.ts'

export const SUPPLIER = {
  name: 'Forstkontor Vermessung GmbH',
  strasse: 'Lindenallee 12',
  plz: '17235',
  ort: 'Neustrelitz',
  steuernummer: '079/123/45678',
  ust_id: 'DE136695976',
  ansprechpartner: 'Petra Pappel',
  telefon: '03981 555-120',
  mail: 'rechnung@forstkontor.example',
  webseite: 'www.forstkontor.example',
  bank: 'Probebank',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  fusszeile: 'Amtsgericht Neubrandenburg HRB 0000 · Geschäftsführung: Petra Pappel',
  zahlungsziel: 21,
  skonto: [{ tage: 7, prozent: '2.00' }],
  datev_berater: '29098',
  datev_mandant: '417',
  datev_rahmen: '03',
  datev_erloeskonten: { 'S 19.00': '8400', 'S 7.00': '8300', 'AE 0.00': '8337', 'E 0.00': '8100' },
  datev_skontokonten: { 'S 19.00': '8736', 'S 7.00': '8731' },
  datev_bankkonto: '1200',
}
/** Payments younger than this came from an imported bank statement. */
const BY_STATEMENT = 75

/**
 * How an invoice is settled, `tage` days after its date; null if it is unpaid, within its term or overdue.
 */
export type Settlement = {
  readonly art: 'ganz' | 'skonto' | 'teil' | 'zu_viel'
  readonly tage: number
} | null

export const LETTER = [
  'Sehr geehrte Damen und Herren,',
  'für die ausgeführten Arbeiten berechnen wir Ihnen:',
  'Vielen Dank für Ihren Auftrag.',
] as const

export class Clerk {
  readonly #connection: SampleTarget
  readonly #now: Date

  constructor(connection: SampleTarget, now: Date) {
    this.#connection = connection
    this.#now = now
  }

  day(offset: number): string {
    return new Date(this.#now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  }

  async query(text: string, values?: unknown[]): Promise<void> {
    await this.#connection.query(text, values)
  }

  async value<T>(call: string, ...values: unknown[]): Promise<T> {
    return (await this.#connection.query<{ answer: T }>(`select ${call} as answer`, values)).rows[0]!.answer
  }

  /** Runs as the operations role, which sees every row. */
  async asOperations<T>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    await this.#connection.query('set local role forst_betrieb')
    const { rows } = await this.#connection.query<T>(text, [...values])
    await this.#connection.query('set local role nutzer')
    return rows
  }

  async draft(client: number, date: string, lines: readonly Line[]): Promise<number> {
    const id = await this.value<number>('app.a_add_invoice($1, $2, ($2::date - 9), 19)', client, date)
    await this.value(
      `app.a_update_invoice_details('Petra Pappel', ($2::date - 9), $2, $1, $3, $4, $5, 19)`,
      id,
      date,
      ...LETTER,
    )
    await this.value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
    return id
  }

  async issue(id: number): Promise<void> {
    await this.#connection.query('select * from app.a_issue_invoice($1)', [id])
  }

  async readIn(umsaetze: readonly object[], file: string): Promise<number[]> {
    const [{ last } = { last: 0 }] = await this.asOperations<{ last: number }>(
      'select coalesce(max(id), 0)::integer as last from app.kontoumsatz',
    )
    await this.value('app.a_import_bank($1::jsonb, $2)', JSON.stringify(umsaetze), file)
    return (
      await this.asOperations<{ id: number }>(
        'select id::integer from app.kontoumsatz where id > $1 order by id',
        [last],
      )
    ).map(({ id }) => id)
  }

  async billOf(id: number): Promise<SampleRechnung> {
    return (
      await this.asOperations<SampleRechnung>(
        `select r.id::integer, r.client_id::integer, r.nummer, k.name as kunde, r.zahlbetrag::text,
           (r.zahlbetrag - coalesce((select sum(z.betrag) from app.zahlung z where z.rechnung_id = r.id),
           0))::text as offen
         from app.rechnung r join app.kunde k on k.client_id = r.client_id where r.id = $1`,
        [id],
      )
    )[0]!
  }

  async pay(id: number, { art, tage }: NonNullable<Settlement>, age: number) {
    const bill = await this.billOf(id)
    const amount = decimal(bill.zahlbetrag)
    const date = this.day(-Math.max(0, age - tage))
    const discount = round2(percentOf(amount, decimal('2')))
    const share = (percent: string) => round2(percentOf(amount, decimal(percent)))
    const paid = {
      ganz: amount,
      skonto: subtract(amount, discount),
      teil: share('40'),
      zu_viel: share('101'),
    }[art]
    if (age < BY_STATEMENT) {
      const entry = {
        konto: SUPPLIER.iban,
        datum: date,
        betrag: formatCents(paid),
        name: bill.kunde,
        iban: accountOf(bill.client_id),
        zweck: `Rechnung ${bill.nummer}`,
      }
      const [umsatz] = await this.readIn([entry], `Kontoauszug-${date}.xml`)
      await this.value(
        'app.a_match_bank($1, $2, skonto => $3, ueberzahlung => $4)',
        umsatz,
        id,
        art === 'skonto',
        art === 'zu_viel',
      )
      return
    }
    await this.value(
      'app.a_add_payment($1, $2, $3::numeric, ueberzahlung => $4)',
      id,
      date,
      formatCents(paid),
      art === 'zu_viel',
    )
    if (art === 'skonto')
      await this.value(`app.a_add_payment($1, $2, $3::numeric, 'skonto')`, id, date, formatCents(discount))
  }
}
