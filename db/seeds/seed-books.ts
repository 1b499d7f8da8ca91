// The books of the trial: supplier, offers in every state, invoices of a year with a Storno and drafts. Made through the same procedures as by hand, so numbers, sums, frozen
// documents and the audit chain are true.
import { DEMO_ACCOUNTS } from '#domain/probe-konten.ts'
import type { OwnerConnection } from '#server/database/database.ts'
import { makeRandom, type Random } from './random.ts'

export interface BooksOptions {
  readonly now: Date
  readonly seed: number
  /** Customers 1 to this number are billed. */
  readonly customers: number
  readonly invoices: number
  readonly offers: number
}

interface Line {
  readonly art?: 'position' | 'optional' | 'ueberschrift'
  readonly bez: string
  readonly anzahl?: string
  readonly einheit?: string
  readonly ep?: string
  readonly ust_satz?: string
  readonly rabatt_prozent?: string
  readonly erl_titel?: string
  readonly erl?: string
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
}

const makeLines = (random: Random): Line[] => {
  const lines: Line[] = [
    {
      bez: 'Einmessung von Dränleitungen',
      anzahl: `${random.int(6, 48)}.${random.pick(['0', '25', '5', '75'])}`,
      einheit: 'Std',
      ep: '84.50',
      erl_titel: 'Umfang',
      erl: 'Begehung, Aufmaß mit GNSS, Protokoll je Schacht.',
    },
    { bez: 'Georeferenzierung von Bestandsplänen', anzahl: String(random.int(2, 30)), einheit: 'Stück', ep: '46.00' },
    { bez: 'Digitalisierung der Leitungen', anzahl: `${random.int(1, 60)}.${random.int(100, 999)}`, einheit: 'km', ep: '118.7500' },
    { bez: 'Anfahrt', anzahl: String(random.int(40, 320)), einheit: 'km', ep: '0.42' },
    { bez: 'Kartenband, gedruckt', anzahl: String(random.int(1, 6)), einheit: 'Stück', ep: '58.90', ust_satz: '7.00' },
    {
      bez: 'Habitatbaumkartierung',
      anzahl: `${random.int(8, 180)}.5`,
      einheit: 'ha',
      ep: '11.3500',
      rabatt_prozent: random.pick(['0', '0', '5.00']),
    },
  ]
  const chosen = random.sample(lines, random.int(1, 4))
  return random.chance(0.3) ? [{ art: 'ueberschrift', bez: 'Leistungen im Gelände und im Büro' }, ...chosen] : chosen
}

/** All or nothing, after the customers are there. The person who keeps the books is the trial's account of that role. */
export async function seedBooks(connection: OwnerConnection, { now, seed, customers, invoices, offers }: BooksOptions): Promise<void> {
  const random = makeRandom(seed)
  const day = (offset: number) => new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)
  const value = async <T>(call: string, ...values: unknown[]): Promise<T> =>
    (await connection.query<{ answer: T }>(`select ${call} as answer`, values)).rows[0]!.answer
  const clerk = DEMO_ACCOUNTS.find(({ role }) => role === 'apus_admin')!.email
  await connection.query('begin')
  try {
    // Claims of this transaction alone; the account is bound to a person when it signs in for the first time, so this link goes again.
    await connection.query(
      `insert into rechte.identitaet (iss, sub, user_id) select 'seed', 'seed', b.user_id from app.benutzer b where lower(b.email) = lower($1)`,
      [clerk],
    )
    await connection.query(`select set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ iss: 'seed', sub: 'seed', groups: ['appuser_apus_admin'] }),
    ])
    await value('app.a_set_lieferant($1::jsonb)', JSON.stringify(SUPPLIER))
    await value(`app.a_set_nummernkreis('rechnung', 'RE-{JJJJ}-{NNNN}', true, 112)`)
    const customer = () => random.int(1, customers)
    const texts = ['Sehr geehrte Damen und Herren,', 'für die ausgeführten Arbeiten berechnen wir Ihnen:', 'Vielen Dank für Ihren Auftrag.']
    const draft = async (client: number, date: string, lines: readonly Line[]): Promise<number> => {
      const id = await value<number>('app.a_add_invoice($1, $2, ($2::date - 9), 19)', client, date)
      await value(`app.a_update_invoice_details('Petra Pappel', ($2::date - 9), $2, $1, $3, $4, $5, 19)`, id, date, ...texts)
      await value('app.a_save_positions($1::jsonb, $2)', JSON.stringify(lines), id)
      return id
    }
    const issue = async (id: number) => {
      await connection.query('select * from app.a_issue_invoice($1)', [id])
    }

    // Offers first: some of the invoices bill them.
    const accepted: { readonly id: number; readonly age: number }[] = []
    for (let nr = 0; nr < offers; nr++) {
      const age = Math.round(300 - (nr * 300) / offers)
      const id = await value<number>('app.a_add_offer($1, $2, 19)', customer(), day(-age))
      const lines = [
        ...makeLines(random),
        ...(nr % 3 === 0 ? [{ art: 'optional', bez: 'Übersichtskarte A0', anzahl: '1', einheit: 'Stück', ep: '145.00' } as const] : []),
      ]
      await value(
        `app.a_update_offer_details('Petra Pappel', $2, $1, $3, 'gern bieten wir Ihnen an:', 'Wir freuen uns auf Ihren Auftrag.', 19)`,
        id,
        day(-age),
        texts[0],
      )
      await value('app.a_save_positions($1::jsonb, null, $2)', JSON.stringify(lines), id)
      // The newest are drafts.
      if (nr >= offers - 2) continue
      await connection.query('select * from app.a_issue_offer($1)', [id])
      const fate = ['angenommen', 'angenommen', 'abgelehnt', 'offen', 'neu'][nr % 5]
      if (fate === 'angenommen') {
        await value(`app.a_decide_offer($1, true, 'telefonisch bestätigt')`, id)
        accepted.push({ id, age })
      } else if (fate === 'abgelehnt') await value(`app.a_decide_offer($1, false, 'Geschäftsleitung', 'in diesem Jahr kein Bedarf')`, id)
      else if (fate === 'neu' && nr > offers / 2) await value('app.a_revise_offer($1)', id)
    }
    const bills = accepted.slice(0, 3)
    for (let nr = 0; nr < invoices; nr++) {
      const age = Math.round(330 - (nr * 330) / invoices)
      const bill = bills.findIndex((offer) => offer.age > age + 12)
      if (bill >= 0) {
        const [offer] = bills.splice(bill, 1)
        const whole = await value<number>('app.a_convert_offer($1, null, $2, ($2::date - 3))', offer!.id, day(-age))
        // The first is billed in whole, the others in part.
        if (bills.length < 2)
          await value(
            `app.a_save_positions((select jsonb_agg(to_jsonb(p) order by p.lfd_nr) from app.a_get_invoice_positions($1) p where p.lfd_nr < 3), $1)`,
            whole,
          )
        await issue(whole)
        continue
      }
      const id = await draft(customer(), day(-age), makeLines(random))
      if (nr % 6 === 1)
        await value(`app.a_set_invoice_terms($1, zahlungsziel => 30, rabatt_prozent => 3, rabatt_grund => 'Treuerabatt')`, id)
      // The newest five wait to be issued.
      if (nr >= invoices - 5) continue
      await issue(id)
      if (nr === Math.floor(invoices / 2)) {
        await connection.query(`select * from app.a_cancel_invoice($1, $2, 'Leistung wurde doppelt berechnet.')`, [id, day(-age)])
      }
    }
    await connection.query(`delete from rechte.identitaet where iss = 'seed'`)
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw error
  }
}

/** What the trial starts with. */
export const TRIAL_BOOKS = { seed: 7, customers: 60, invoices: 40, offers: 15 } as const
