// The trial's bookkeeping: supplier, offers in every state, fourteen months of invoices with their payments,
// a Storno and drafts, forecasts, templates and text blocks. Documents and payments go through the same
// procedures as manual work, so numbers, sums, frozen documents and the audit chain are real.
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { addDays, addMonths } from '#domain/day.ts'
import { Clerk, LETTER, type Settlement, SUPPLIER } from './clerk.ts'
import { makeRandom, type Random } from './random.ts'
import {
  statementEntries,
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

/**
 * The customer that the trial's demo account signs in for: one offer awaits its answer, one invoice its
 * payment.
 */
const SIGNED_IN = 1
/** Fourteen months. */
const DAYS = 425
/** Ages of the newest offers: they await an answer, the last two are drafts. */
const NEWEST = [27, 23, 18, 13, 9, 5, 2]
/** Number of invoices waiting to be issued. */
const DRAFTS = 5

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

interface Offer {
  readonly id: number
  readonly age: number
  /** Billed by one invoice. */
  readonly whole: boolean
}
interface Situation extends BooksOptions {
  readonly clerk: Clerk
  readonly random: Random
  /** The number of a customer by chance. */
  readonly customer: () => number
}

const linesOfOffer = (nr: number, random: Random, done: { readonly le_date?: string }): Line[] => [
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

/** What becomes of an offer; true if it is accepted. */
async function decide(
  clerk: Clerk,
  id: number,
  { nr, age, offers }: { readonly nr: number; readonly age: number; readonly offers: number },
): Promise<boolean> {
  const fate = ['angenommen', 'abgelehnt', 'angenommen', 'offen', 'angenommen', 'neu'][nr % 6]
  if (fate === 'angenommen') {
    const [chosen] = await clerk.asOperations<{ ids: string }>(
      `select coalesce(array_agg(id), '{}')::text as ids
        from app.position
        where angebot_id = $1 and (art = 'optional' or art = 'alternativ' and $2)`,
      [id, nr % 8 === 4],
    )
    await clerk.value(
      `app.a_decide_offer($1, true, 'telefonisch bestätigt', positionen => $2::bigint[])`,
      id,
      chosen!.ids,
    )
    return true
  }
  if (fate === 'abgelehnt') {
    await clerk.value(`app.a_decide_offer($1, false, 'Geschäftsleitung', 'in diesem Jahr kein Bedarf')`, id)
    if (age > 300) await clerk.value('app.a_set_archive_for_an($1, true)', id)
  } else if (fate === 'neu' && nr > offers / 2) await clerk.value('app.a_revise_offer($1)', id)
  return false
}

/** Those that are accepted, oldest first. */
async function seedOffers({ clerk, random, customer, offers }: Situation): Promise<Offer[]> {
  const accepted: Offer[] = []
  for (let nr = 0; nr < offers; nr++) {
    const age =
      NEWEST[nr - offers + NEWEST.length] ??
      Math.round(DAYS - (nr * (DAYS - 35)) / (offers - NEWEST.length - 1))
    const chance = customer()
    const id = await clerk.value<number>(
      'app.a_add_offer($1, $2, 19)',
      nr === offers - 3 ? SIGNED_IN : chance,
      clerk.day(-age),
    )
    const done = age < 120 ? { le_date: clerk.day(random.int(15, 130)) } : {}
    const lines = linesOfOffer(nr, random, done)
    await clerk.value(
      `app.a_update_offer_details('Petra Pappel', $2, $1, $3, 'gern bieten wir Ihnen an:', ` +
        `'Wir freuen uns auf Ihren Auftrag.', 19)`,
      id,
      clerk.day(-age),
      LETTER[0],
    )
    await clerk.value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
    await clerk.value('app.a_set_offer_terms($1, chance => $2)', id, random.pick([20, 40, 60, 75, 90]))
    // The newest stay drafts.
    if (nr >= offers - 2) continue
    await clerk.query('select * from app.a_issue_offer($1)', [id])
    // Offers of the last weeks await an answer.
    if (age < 28) continue
    if ((await decide(clerk, id, { nr, age, offers })) && age > 90)
      accepted.push({ id, age, whole: accepted.length % 3 !== 1 })
  }
  return accepted
}

async function billOffer(clerk: Clerk, offer: Offer, age: number): Promise<number> {
  const made = await clerk.value<number>(
    'app.a_convert_offer($1, null, $2, ($2::date - 3))',
    offer.id,
    clerk.day(-age),
  )
  if (!offer.whole)
    await clerk.value(
      'app.a_save_positions((select jsonb_agg(to_jsonb(p) order by p.lfd_nr) ' +
        'from app.a_get_invoice_positions($1) p where p.lfd_nr < 3), $1)',
      made,
    )
  await clerk.issue(made)
  return made
}

/** Those that nobody has paid. */
async function seedInvoices(
  { clerk, random, customer, invoices }: Situation,
  accepted: readonly Offer[],
): Promise<number[]> {
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
      const made = await billOffer(clerk, offer!, age)
      if (incoming !== null) await clerk.pay(made, incoming, age)
      else waiting.push(made)
      continue
    }
    const chance = customer()
    const id = await clerk.draft(
      nr === invoices - DRAFTS - 2 ? SIGNED_IN : chance,
      clerk.day(-age),
      makeLines(random),
    )
    if (longer)
      await clerk.value(
        `app.a_set_invoice_terms($1, zahlungsziel => 30, rabatt_prozent => 3, rabatt_grund => 'Treuerabatt')`,
        id,
      )
    if (nr >= invoices - DRAFTS) continue
    await clerk.issue(id)
    if (cancelled === null && nr >= invoices / 2) {
      cancelled = id
      await clerk.query(`select * from app.a_cancel_invoice($1, $2, 'Leistung wurde doppelt berechnet.')`, [
        id,
        clerk.day(-age),
      ])
    } else if (incoming !== null) await clerk.pay(id, incoming, age)
    else waiting.push(id)
  }
  return waiting
}

/**
 * Yesterday's statement, imported but not processed: certain matches, doubtful ones, and one that belongs to no
 * invoice.
 */
async function seedStatement(clerk: Clerk, waiting: readonly number[]): Promise<void> {
  const open: SampleRechnung[] = []
  for (const id of waiting.slice(-6)) open.push(await clerk.billOf(id))
  const entries = statementEntries(open, clerk.day(-1)).map((one) => ({ ...one, konto: SUPPLIER.iban }))
  const umsaetze = await clerk.readIn(entries, `Kontoauszug-${clerk.day(-1)}.xml`)
  // The bank's fee is no customer payment.
  await clerk.value('app.a_set_umsatz_erledigt($1, true)', umsaetze.at(-1))
}

async function seedTemplates(clerk: Clerk): Promise<void> {
  const today = clerk.day(0)
  await clerk.asOperations(
    `insert into app.prognose (datum, betrag, art, kategorie, bemerkung)
      select datum, betrag, art, kategorie, bemerkung
       from json_to_recordset($1::json) as t(datum date, betrag numeric, art text, kategorie text, bemerkung text)`,
    [JSON.stringify(prognosenFrom(addMonths(`${today.slice(0, 7)}-01`, -2), 14, addDays(today, 45)))],
  )
  await clerk.asOperations(
    `insert into app.positionsvorlage (gruppe, bez, einheit, ep, ust_satz, erl_titel, erl)
      select gruppe, bez, einheit, ep, ust_satz, coalesce(erl_titel, ''), coalesce(erl, '')
       from json_to_recordset($1::json) as t(gruppe text, bez text, einheit text, ep numeric,
         ust_satz numeric, erl_titel text, erl text)`,
    [JSON.stringify(TEMPLATES)],
  )
  await clerk.asOperations(
    'insert into app.freitext (art, titel, text) select art, titel, ' +
      'text from json_to_recordset($1::json) as t(art text, titel text, text text)',
    [JSON.stringify(TEXT_MODULES)],
  )
}

/** All or nothing; requires the customers. The bookkeeper is the trial's account of that role. */
export async function seedBooks(connection: SampleTarget, options: BooksOptions): Promise<void> {
  const clerk = new Clerk(connection, options.now)
  const random = makeRandom(options.seed)
  const situation = { ...options, clerk, random, customer: () => random.int(1, options.customers) }
  await clerk.query('begin')
  try {
    // Claims for this transaction only; an account is bound to a person at its first sign-in, so this link is
    // removed again.
    await clerk.query(
      `insert into accounts.identitaet (iss, sub, user_id)
        select 'seed', 'seed', b.user_id
        from app.benutzer b where b.email = $1`,
      [DEMO_ACCOUNTS.find(({ role }) => role === 'apus_admin')!.email],
    )
    await clerk.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ iss: 'seed', sub: 'seed', groups: ['appuser_apus_admin'] }),
    ])
    // As every request does: what a login writes by itself is in the chain as written by hand.
    await clerk.query('set local role nutzer')
    await clerk.value('app.a_set_lieferant($1::jsonb)', JSON.stringify(SUPPLIER))
    await clerk.value(`app.a_set_nummernkreis('rechnung', 'RE-{JJJJ}-{NNNN}', true, 112)`)
    // Offers first: some invoices bill them.
    const waiting = await seedInvoices(situation, await seedOffers(situation))
    await seedStatement(clerk, waiting)
    await seedTemplates(clerk)
    // The sample's documents are typeset when they are opened: a trial's start should not typeset a hundred
    // letters.
    await clerk.asOperations(`update app.dokument_auftrag set naechster = 'infinity'`, [])
    await clerk.query('set local role none')
    await clerk.query(`delete from accounts.identitaet where iss = 'seed'`)
    await clerk.query('commit')
  } catch (error) {
    await clerk.query('rollback')
    throw error
  }
}

/** Size of the trial's bookkeeping. */
export const TRIAL_BOOKS = { seed: 7, customers: 60, invoices: 66, offers: 30 } as const
