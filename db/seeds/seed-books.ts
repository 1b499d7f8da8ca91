// The trial's bookkeeping: supplier, offers in every state, fourteen months of invoices with their payments,
// a Storno and drafts, forecasts, templates and text blocks. Documents and payments go through the same
// procedures as manual work, so numbers, sums, frozen documents and the audit chain are real.
import { decimal, formatCents, percentOf, round2, subtract } from '#domain/geld.ts'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { addDays, addMonths } from '#domain/day.ts'
import { makeRandom, type Random } from './random.ts'
import {
  statementEntries,
  accountOf,
  prognosenFrom,
  type SampleRechnung,
  TEXT_MODULES,
  TEMPLATES,
} from './sample-books.ts'
import { type Line, makeLines } from './sample-lines.ts'
import type { SampleTarget } from './target.ts'

export interface BooksOptions {
  readonly now: Date
  readonly seed: number
  /** Customers 1 to this number are billed. */
  readonly customers: number
  readonly invoices: number
  readonly offers: number
}

const SUPPLIER = {
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
/**
 * The customer that the trial's demo account signs in for: one offer awaits its answer, one invoice its
 * payment.
 */
const SIGNED_IN = 1
/** Payments younger than this came from an imported bank statement. */
const BY_STATEMENT = 75

/** Fourteen months. */
const DAYS = 425
/** Ages of the newest offers: they await an answer, the last two are drafts. */
const NEWEST = [27, 23, 18, 13, 9, 5, 2]
/** Number of invoices waiting to be issued. */
const DRAFTS = 5

/**
 * How an invoice is settled, `tage` days after its date; null if it is unpaid, within its term or overdue.
 */
type Settlement = { readonly art: 'ganz' | 'skonto' | 'teil' | 'zu_viel'; readonly tage: number } | null

/** By position and age: old invoices are all paid, younger ones are settled in every way. */
function settlementOf(nr: number, age: number, term: number, random: Random): Settlement {
  const late = random.int(term - 8, term + 12)
  if (age > 150)
    return { art: nr % 7 === 3 ? 'skonto' : 'ganz', tage: nr % 7 === 3 ? random.int(3, 7) : late }
  if (age > term + 14) {
    const kind = nr % 6
    if (kind === 2) return null
    if (kind === 4) return { art: 'teil', tage: late }
    return { art: kind === 0 ? 'zu_viel' : 'ganz', tage: late }
  }
  if (age > 9)
    return nr % 4 === 1 ? { art: 'skonto', tage: 6 } : nr % 4 === 3 ? { art: 'teil', tage: 8 } : null
  return null
}

/** All or nothing; requires the customers. The bookkeeper is the trial's account of that role. */
export async function seedBooks(
  connection: SampleTarget,
  { now, seed, customers, invoices, offers }: BooksOptions,
): Promise<void> {
  const random = makeRandom(seed)
  const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  const value = async <T>(call: string, ...values: unknown[]): Promise<T> =>
    (await connection.query<{ answer: T }>(`select ${call} as answer`, values)).rows[0]!.answer
  const clerk = DEMO_ACCOUNTS.find(({ role }) => role === 'apus_admin')!.email
  await connection.query('begin')
  try {
    // Claims for this transaction only; an account is bound to a person at its first sign-in, so this link is
    // removed again.
    await connection.query(
      `insert into accounts.identitaet (iss, sub, user_id)
        select 'seed', 'seed', b.user_id
        from app.benutzer b where b.email = $1`,
      [clerk],
    )
    await connection.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ iss: 'seed', sub: 'seed', groups: ['appuser_apus_admin'] }),
    ])
    // As every request does: what a login writes by itself stands in the chain as written by hand.
    await connection.query('set local role nutzer')
    await value('app.a_set_lieferant($1::jsonb)', JSON.stringify(SUPPLIER))
    await value(`app.a_set_nummernkreis('rechnung', 'RE-{JJJJ}-{NNNN}', true, 112)`)
    const customer = () => random.int(1, customers)
    const texts = [
      'Sehr geehrte Damen und Herren,',
      'für die ausgeführten Arbeiten berechnen wir Ihnen:',
      'Vielen Dank für Ihren Auftrag.',
    ]
    const draft = async (client: number, date: string, lines: readonly Line[]): Promise<number> => {
      const id = await value<number>('app.a_add_invoice($1, $2, ($2::date - 9), 19)', client, date)
      await value(
        `app.a_update_invoice_details('Petra Pappel', ($2::date - 9), $2, $1, $3, $4, $5, 19)`,
        id,
        date,
        ...texts,
      )
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      return id
    }
    const issue = async (id: number) => {
      await connection.query('select * from app.a_issue_invoice($1)', [id])
    }
    /** Runs as the operations role, which sees every row. */
    const asOperations = async <T>(text: string, values: readonly unknown[] = []): Promise<T[]> => {
      await connection.query('set local role forst_betrieb')
      const { rows } = await connection.query<T>(text, [...values])
      await connection.query('set local role nutzer')
      return rows
    }
    const readIn = async (umsaetze: readonly object[], file: string): Promise<number[]> => {
      const [{ last } = { last: 0 }] = await asOperations<{ last: number }>(
        'select coalesce(max(id), 0)::integer as last from app.kontoumsatz',
      )
      await value('app.a_import_bank($1::jsonb, $2)', JSON.stringify(umsaetze), file)
      return (
        await asOperations<{ id: number }>(
          'select id::integer from app.kontoumsatz where id > $1 order by id',
          [last],
        )
      ).map(({ id }) => id)
    }
    const billOf = async (id: number) =>
      (
        await asOperations<SampleRechnung>(
          `select r.id::integer, r.client_id::integer, r.nummer, k.name as kunde, r.zahlbetrag::text,
             (r.zahlbetrag - coalesce((select sum(z.betrag) from app.zahlung z where z.rechnung_id = r.id),
             0))::text as offen
           from app.rechnung r join app.kunde k on k.client_id = r.client_id where r.id = $1`,
          [id],
        )
      )[0]!
    const pay = async (id: number, { art, tage }: NonNullable<Settlement>, age: number) => {
      const bill = await billOf(id)
      const amount = decimal(bill.zahlbetrag)
      const date = day(-Math.max(0, age - tage))
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
        const [umsatz] = await readIn([entry], `Kontoauszug-${date}.xml`)
        await value(
          'app.a_match_bank($1, $2, skonto => $3, ueberzahlung => $4)',
          umsatz,
          id,
          art === 'skonto',
          art === 'zu_viel',
        )
        return
      }
      await value(
        'app.a_add_payment($1, $2, $3::numeric, ueberzahlung => $4)',
        id,
        date,
        formatCents(paid),
        art === 'zu_viel',
      )
      if (art === 'skonto')
        await value(`app.a_add_payment($1, $2, $3::numeric, 'skonto')`, id, date, formatCents(discount))
    }

    // Offers first: some invoices bill them.
    const accepted: { readonly id: number; readonly age: number; readonly whole: boolean }[] = []
    for (let nr = 0; nr < offers; nr++) {
      const age =
        NEWEST[nr - offers + NEWEST.length] ??
        Math.round(DAYS - (nr * (DAYS - 35)) / (offers - NEWEST.length - 1))
      const chance = customer()
      const id = await value<number>(
        'app.a_add_offer($1, $2, 19)',
        nr === offers - 3 ? SIGNED_IN : chance,
        day(-age),
      )
      const done = age < 120 ? { le_date: day(random.int(15, 130)) } : {}
      const lines: Line[] = [
        ...makeLines(random).map((line) => (line.art === 'ueberschrift' ? line : { ...line, ...done })),
        ...(nr % 4 === 0
          ? [
              {
                art: 'alternativ',
                bez: 'dasselbe mit Befliegung',
                anzahl: '1',
                einheit: 'psch',
                ep: '1890.00',
                ...done,
              } as const,
            ]
          : []),
        ...(nr % 3 === 0
          ? [
              {
                art: 'optional',
                bez: 'Übersichtskarte A0',
                anzahl: '1',
                einheit: 'Stück',
                ep: '145.00',
              } as const,
            ]
          : []),
      ]
      await value(
        `app.a_update_offer_details('Petra Pappel', $2, $1, $3, 'gern bieten wir Ihnen an:', ` +
          `'Wir freuen uns auf Ihren Auftrag.', 19)`,
        id,
        day(-age),
        texts[0],
      )
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
      await value('app.a_set_offer_terms($1, chance => $2)', id, random.pick([20, 40, 60, 75, 90]))
      // The newest stay drafts.
      if (nr >= offers - 2) continue
      await connection.query('select * from app.a_issue_offer($1)', [id])
      // Offers of the last weeks await an answer.
      if (age < 28) continue
      const fate = ['angenommen', 'abgelehnt', 'angenommen', 'offen', 'angenommen', 'neu'][nr % 6]
      if (fate === 'angenommen') {
        const [chosen] = await asOperations<{ ids: string }>(
          `select coalesce(array_agg(id), '{}')::text as ids
            from app.position
            where angebot_id = $1 and (art = 'optional' or art = 'alternativ' and $2)`,
          [id, nr % 8 === 4],
        )
        await value(
          `app.a_decide_offer($1, true, 'telefonisch bestätigt', positionen => $2::bigint[])`,
          id,
          chosen!.ids,
        )
        if (age > 90) accepted.push({ id, age, whole: accepted.length % 3 !== 1 })
      } else if (fate === 'abgelehnt') {
        await value(`app.a_decide_offer($1, false, 'Geschäftsleitung', 'in diesem Jahr kein Bedarf')`, id)
        if (age > 300) await value('app.a_set_archive_for_an($1, true)', id)
      } else if (fate === 'neu' && nr > offers / 2) await value('app.a_revise_offer($1)', id)
    }
    const bills = [...accepted]
    let cancelled: number | null = null
    const waiting: number[] = []
    for (let nr = 0; nr < invoices; nr++) {
      const age = Math.max(1, Math.round(DAYS - (nr * (DAYS - 1)) / (invoices - DRAFTS - 1)))
      const bill = bills.findIndex((offer) => offer.age > age + 12)
      const longer = nr % 6 === 1
      const incoming = settlementOf(nr, age, longer ? 30 : SUPPLIER.zahlungsziel, random)
      if (bill >= 0) {
        const [offer] = bills.splice(bill, 1)
        const made = await value<number>(
          'app.a_convert_offer($1, null, $2, ($2::date - 3))',
          offer!.id,
          day(-age),
        )
        if (!offer!.whole)
          await value(
            'app.a_save_positions((select jsonb_agg(to_jsonb(p) order by p.lfd_nr) ' +
              'from app.a_get_invoice_positions($1) p where p.lfd_nr < 3), $1)',
            made,
          )
        await issue(made)
        if (incoming !== null) await pay(made, incoming, age)
        else waiting.push(made)
        continue
      }
      const chance = customer()
      const id = await draft(nr === invoices - DRAFTS - 2 ? SIGNED_IN : chance, day(-age), makeLines(random))
      if (longer)
        await value(
          `app.a_set_invoice_terms($1, zahlungsziel => 30, rabatt_prozent => 3, rabatt_grund => 'Treuerabatt')`,
          id,
        )
      if (nr >= invoices - DRAFTS) continue
      await issue(id)
      if (cancelled === null && nr >= invoices / 2) {
        cancelled = id
        await connection.query(
          `select * from app.a_cancel_invoice($1, $2, 'Leistung wurde doppelt berechnet.')`,
          [id, day(-age)],
        )
      } else if (incoming !== null) await pay(id, incoming, age)
      else waiting.push(id)
    }

    // Yesterday's statement, imported but not processed: certain matches, doubtful ones, and one that belongs
    // to no invoice.
    const open: SampleRechnung[] = []
    for (const id of waiting.slice(-6)) open.push(await billOf(id))
    const entries = statementEntries(open, day(-1)).map((one) => ({ ...one, konto: SUPPLIER.iban }))
    const umsaetze = await readIn(entries, `Kontoauszug-${day(-1)}.xml`)
    // The bank's fee is no customer payment.
    await value('app.a_set_umsatz_erledigt($1, true)', umsaetze.at(-1))

    const today = day(0)
    await asOperations(
      `insert into app.prognose (datum, betrag, art, kategorie, bemerkung)
        select datum, betrag, art, kategorie, bemerkung
         from json_to_recordset($1::json) as t(datum date, betrag numeric, art text, kategorie text, bemerkung text)`,
      [JSON.stringify(prognosenFrom(addMonths(`${today.slice(0, 7)}-01`, -2), 14, addDays(today, 45)))],
    )
    await asOperations(
      `insert into app.positionsvorlage (gruppe, bez, einheit, ep, ust_satz, erl_titel, erl)
        select gruppe, bez, einheit, ep, ust_satz, coalesce(erl_titel, ''), coalesce(erl, '')
         from json_to_recordset($1::json) as t(gruppe text, bez text, einheit text, ep numeric,
           ust_satz numeric, erl_titel text, erl text)`,
      [JSON.stringify(TEMPLATES)],
    )
    await asOperations(
      'insert into app.freitext (art, titel, text) select art, titel, ' +
        'text from json_to_recordset($1::json) as t(art text, titel text, text text)',
      [JSON.stringify(TEXT_MODULES)],
    )
    // The sample's documents are typeset when they are opened: a trial's start should not typeset a hundred
    // letters.
    await asOperations(`update app.dokument_auftrag set naechster = 'infinity'`, [])
    await connection.query('set local role none')
    await connection.query(`delete from accounts.identitaet where iss = 'seed'`)
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  }
}

/** Size of the trial's bookkeeping. */
export const TRIAL_BOOKS = { seed: 7, customers: 60, invoices: 66, offers: 30 } as const
