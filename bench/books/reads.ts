// What a bookkeeper opens all day, in books of many years: as the data API does, one transaction as the caller.
import type { Database } from '#server/database/database.ts'
import { CHECK_REQUEST } from '#server/nutzer.ts'
import { SHORT } from '../extent.ts'
import { atMost, type Figure, p95, shown } from '../figures.ts'

const LIMIT_MS = 200
const TIMES = SHORT ? 3 : 30
const PERSON = 900_001

export const READERS_SQL = `begin; set local role forst_betrieb;
  insert into app.benutzer (user_id, email, username, system_status, apus_admin)
    values (${PERSON}, 'buch@bench.example', 'buch', 'ogf_standard', true);
  insert into accounts.identitaet (iss, sub, user_id) values ('bench', 'buch', ${PERSON});
  commit;
  analyze`

/** Last day of the period before this one. */
const endBefore = (period: 'month' | 'year'): string =>
  `(date_trunc('${period}', current_date::timestamp) - interval '1 day')::date`
const pageOf = (columns: string, list: string, stand: string, order: string): string =>
  `select id, kunde, nummer, ${columns}, stand from app.${list}
    where stand = '${stand}' order by ${order}, id limit 50`

const READS: Readonly<Record<string, string>> = {
  overview: 'select app.a_get_buchhaltung()::text as v',
  'dunning list': 'select * from app.a_get_mahnliste()',
  'cash flow': 'select app.a_get_cashflow()::text as v',
  'open items, today': 'select * from app.a_get_offene_posten()',
  'open items, end of last month': `select * from app.a_get_offene_posten(${endBefore('month')})`,
  'open items, end of last year': `select * from app.a_get_offene_posten(${endBefore('year')})`,
}
/** Without a limit in the issue; for comparison. */
const SHOWN: Readonly<Record<string, string>> = {
  'invoices for the bank': 'select * from app.a_get_bank_rechnungen()',
  'first page of overdue invoices': pageOf('offen', 'rechnung_liste', 'ueberfaellig', 'faellig'),
  'first page of offers to bill': pageOf('rest_brutto', 'angebot_liste', 'teilabgerechnet', 'an_datum desc'),
}

async function timesOf(api: Database, text: string): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round <= TIMES; round++) {
    const claims = {
      iss: 'bench',
      sub: 'buch',
      groups: ['appuser_apus_admin'],
      iat: Math.floor(Date.now() / 1000),
    }
    const start = performance.now()
    // oxlint-disable-next-line no-await-in-loop -- one clerk
    const { rows } = await api.once(
      {
        role: 'nutzer',
        settings: { 'request.jwt.claims': JSON.stringify(claims) },
        preRequest: CHECK_REQUEST,
      },
      { text, values: [] },
    )
    if (rows.length === 0) throw new Error(`nothing is read by ${text}`)
    // The first one fills the caches.
    if (round > 0) times.push(performance.now() - start)
  }
  return times
}

export async function readFigures(name: string, api: Database, isJudged: boolean): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [what, text] of Object.entries(READS)) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const value = p95(await timesOf(api, text))
    const figure = `${name}: ${what}, p95`
    figures.push(isJudged ? atMost(figure, LIMIT_MS, value, 'ms') : shown(figure, value, 'ms'))
  }
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const [what, text] of Object.entries(SHOWN))
    figures.push(shown(`${name}: ${what}, p95`, p95(await timesOf(api, text)), 'ms'))
  return figures
}
