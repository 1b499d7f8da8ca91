// Every request that is measured: those of the lists (lists.ts), every call of the catalogue that reads, the
// tiles, and saves.
import type { Database, OwnerConnection, Statement } from '#server/database/database.ts'
import { readNarrowing } from '#server/narrowing.ts'
import { keptStatement, tileStatement } from '#server/kataster/tile-sql.ts'
import { buildStatement } from '../../server/data-api/build-statement.ts'
import type { Catalogue } from '../../server/data-api/catalogue.ts'
import { DEFAULT_LIMITS } from '../../server/data-api/limits.ts'
import { parseRequest } from '../../server/data-api/parse-request.ts'
import {
  inOrder,
  type Narrowed,
  type Narrowing,
  narrowingOf,
  narrowPlan,
} from '../../server/data-api/narrow-plan.ts'
import { planRequest } from '../../server/data-api/plan-request.ts'
import { readCatalogue } from '../../server/data-api/read-catalogue.ts'
import { type Asked, listRequests } from './lists.ts'
import { type CallerName, OWN, OWN_HQ } from './scene.ts'

export type Kind = 'read' | 'count' | 'overview' | 'save'
export interface Request {
  readonly what: string
  readonly kind: Kind
  readonly statement: Statement
  /** What the data API asks before, and the statements that follow from the answer. */
  readonly before?: { readonly ask: Statement; after(answer: readonly Narrowed[]): readonly Statement[] }
  /** Only this caller makes it. */
  readonly by?: CallerName
}

/** Invoice, offer and plan of the customer who asks; the invoice's number is as in scene.ts. */
const INVOICE = OWN - 1
const OFFER = 99
const PLAN = 6
/** An invoice that is overdue and was reminded of once. */
const UNPAID = 107
const ARGS: Readonly<Record<string, string>> = {
  client_id: String(OWN),
  kunde_id: String(OWN),
  hq_id: String(OWN_HQ),
  idHQ: String(OWN_HQ),
  invoice_id: String(INVOICE),
  rechnung_id: String(INVOICE),
  offer_id: String(OFFER),
  karte_id: String(PLAN),
  karten: `{${PLAN}}`,
  user_id: String(OWN),
  von: '2025-01-01',
  bis: '2025-03-31',
  an_datum: '2025-01-01',
  rn_datum: '2025-01-01',
  art: 'rechnung',
  id: String(INVOICE),
  datensatz: String(INVOICE),
  text: 'wolf kassel',
  suche: 'wolf',
  was: 'kunden',
  tabelle: 'draenage',
  nach: '0',
  kasten: '{1200000,6600000,1300000,6700000}',
  email: 'p7@forst7.example',
  db_role: 'niemand',
  stufe: '1',
  fuer_kunde: 'true',
  nummern: '{1}',
  kennungen: '{1}',
  nr: '1',
  eingang_id: '1',
  vorschlag_id: '1',
  serie_id: '1',
  seit: '2026-10-01',
}
/** The calls whose words mean something else than in most, and those that are made for several things. */
const OTHERWISE: Readonly<Record<string, readonly Readonly<Record<string, string>>[]>> = {
  __o_get_places: ['habitat', 'kawm', 'waldbestand', 'kataster'].map((was) => ({ was })),
  a_get_datenschutz_vorschau: [{ art: 'person', id: '7' }],
  a_preview_mahnung: [{ rechnung_id: String(UNPAID), stufe: '2' }],
}
/** What a page opens with; everything else a person waits for is a read. */
const OVERVIEWS: ReadonlySet<string> = new Set([
  'a_get_buchhaltung',
  'a_get_cashflow',
  'a_get_offene_posten',
  'a_get_mahnliste',
  'a_get_abo_uebersicht',
  'a_get_abo_einnahmen',
  'a_get_bank_rechnungen',
  'a_get_datev',
  'a_get_ust',
  'a_get_vorsteuer',
  'a_get_kataster_overview',
  'a_get_karten_stand',
  'a_get_lastschriften',
  '__o_get_kunde_summary',
  '__o_get_hq_summary',
  '__o_get_desk',
  '__o_get_news',
])
/** Returns everything by its nature, for programs; no screen calls it. */
const WHOLE: ReadonlySet<string> = new Set(['a_get_invoices', 'a_get_offers'])

const SAVES: readonly (readonly [what: string, method: string, address: string, body: object])[] = [
  ['customer', 'PATCH', `kunde?client_id=eq.${OWN}`, { name_zusatz: 'Forst' }],
  ['customer, new', 'POST', 'kunde', { name: 'Neu', strasse: 'Weg 1', plz: '04109', ort: 'Leipzig' }],
  ['tree', 'PATCH', `habitatbaeume?id=eq.${OWN_HQ - 1}`, { bemerkung: 'geprüft' }],
  ['plan', 'PATCH', `kartenblatt?id=eq.${PLAN}`, { bem_client: 'gesehen' }],
  ['headquarters', 'PATCH', `hq?idHQ=eq.${OWN_HQ}`, { sHQ: 'Revier Neu' }],
  ['invoice, draft', 'POST', 'rpc/a_add_invoice', { client_id: OWN, rn_datum: '2026-11-01' }],
  ['payment', 'POST', 'rpc/a_add_payment', { rechnung_id: 7, datum: '2026-11-01', betrag: 0.01 }],
  ['forecast', 'POST', 'rpc/a_insert_prognose', { datum: '2027-01-01', betrag: 10, art: 'Ausgabe' }],
]

const encoder = new TextEncoder()
function statementOf(
  catalogue: Catalogue,
  method: string,
  address: string,
  { body = '', prefer, narrowing }: { body?: string; prefer?: string; narrowing?: Narrowing } = {},
): Pick<Request, 'statement' | 'before'> {
  const [target = '', query = ''] = address.split('?')
  const headers = { ...(body !== '' && { 'content-type': 'application/json' }), ...(prefer && { prefer }) }
  const raw = { method, path: `/${target}`, query, headers, body: encoder.encode(body) }
  const request = parseRequest(raw, ['app'], DEFAULT_LIMITS)
  const plan = planRequest(catalogue, request, { limits: DEFAULT_LIMITS, role: 'nutzer' })
  const ask = plan.kind === 'read' ? narrowingOf(plan, narrowing) : null
  return {
    statement: buildStatement(plan),
    ...(plan.kind === 'read' &&
      ask !== null && {
        before: {
          ask,
          after: (answer) => {
            const order = inOrder(plan, answer)
            return [...(order === null ? [] : [order]), buildStatement(narrowPlan(plan, answer))]
          },
        },
      }),
  }
}

const kindOf = ({ kind }: Asked): Kind =>
  kind === 'sums' || kind === 'groups' ? 'overview' : kind === 'count' ? 'count' : 'read'

interface Call {
  readonly name: string
  /** Names of those that have no default. */
  readonly args: readonly string[]
}
/** The calls that read. */
async function fetchCalls(owner: OwnerConnection): Promise<Call[]> {
  const { rows } = await owner.query<{ name: string; args: string }>(
    `select p.proname as name,
        coalesce((select string_agg(a.name, ' ' order by a.nr) from unnest(p.proargnames) with ordinality a(name, nr)
          where a.nr <= p.pronargs - p.pronargdefaults), '') as args
      from pg_proc p
      where p.pronamespace = 'app'::regnamespace
        and p.provolatile <> 'v'
        and p.proname ~ '^(a|__o)_'
        and has_function_privilege('nutzer', p.oid, 'execute')
      order by p.proname`,
  )
  return rows.map(({ name, args }) => ({ name, args: args.split(' ').filter((arg) => arg !== '') }))
}

const isMeasured = ({ name, args }: Call): boolean =>
  !WHOLE.has(name) && args.every((arg) => Object.hasOwn(ARGS, arg))
/** Calls that read, and whose cost nobody measures. */
export const unmeasuredCalls = async (owner: OwnerConnection): Promise<string[]> =>
  (await fetchCalls(owner)).filter((call) => !isMeasured(call)).map(({ name }) => name)

/** A call with an argument of each name; without those that have a default. */
const calls = async (owner: OwnerConnection, catalogue: Catalogue): Promise<Request[]> =>
  (await fetchCalls(owner)).filter(isMeasured).flatMap(({ name, args }) =>
    (OTHERWISE[name] ?? [{}]).map((own: Readonly<Record<string, string>>) => ({
      what: ['call', name, ...(own['was'] === undefined ? [] : [own['was']])].join(' '),
      kind: OVERVIEWS.has(name) ? ('overview' as const) : ('read' as const),
      ...statementOf(
        catalogue,
        'GET',
        `rpc/${name}?${new URLSearchParams(args.map((arg) => [arg, own[arg] ?? ARGS[arg]!])).toString()}`,
      ),
    })),
  )

/** The customer's survey as a whole, and closer. */
const tiles = (): Request[] => {
  const kept = ([z, x, y]: readonly [number, number, number]): Request => ({
    what: `tile of level ${z}`,
    kind: 'read',
    statement: keptStatement('postgres', OWN, { z, x, y }, {}, -1)!,
  })
  const box = { west: 1_275_000, ost: 1_325_000, sued: 6_675_000, nord: 6_725_000 }
  const near = tileStatement('postgres', 'objekte', OWN, box, {})
  return [
    kept([6, 34, 21]),
    kept([8, 136, 85]),
    { what: 'tile, 50000 m wide', kind: 'read', statement: near },
  ]
}

export async function allRequests(api: Database, owner: OwnerConnection): Promise<readonly Request[]> {
  const catalogue = await readCatalogue(api, { schemas: ['app'], roles: ['nutzer'] })
  const narrowing = await readNarrowing(api)
  const lists = (await listRequests()).map((asked) => ({
    what: asked.what,
    kind: kindOf(asked),
    ...statementOf(catalogue, 'GET', asked.address, {
      narrowing,
      ...(asked.prefer !== undefined && { prefer: asked.prefer }),
    }),
  }))
  const saves = SAVES.map(([what, method, address, body]) => ({
    what: `save ${what}`,
    kind: 'save' as const,
    by: 'staff' as const,
    ...statementOf(catalogue, method, address, {
      body: JSON.stringify(body),
      ...(!address.startsWith('rpc/') && { prefer: 'return=representation' }),
    }),
  }))
  return [...lists, ...(await calls(owner, catalogue)), ...tiles(), ...saves]
}
