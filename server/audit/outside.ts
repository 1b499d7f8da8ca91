// Records that an auditor's archive does not contain, although its chain has their seals: each with the columns that
// say why. With them the verifier proves that nothing of the period was left out (docs/verify-archive.md).
import { keysStatement, type SealedTable } from './table.ts'

interface Reason {
  /** The record belongs to the period by one of these days, or to that of a record which it hangs on. */
  readonly days?: readonly string[]
  readonly times?: readonly string[]
  readonly parents?: readonly string[]
}
/** As in scripts/verify-archive.mjs. Master data has no period: it comes with what refers to it. */
const REASONS: Partial<Readonly<Record<SealedTable, Reason>>> = {
  rechnung: { days: ['rn_datum'] },
  angebot: { days: ['an_datum'] },
  position: { parents: ['rechnung_id', 'angebot_id'] },
  dokument: { parents: ['rechnung_id', 'angebot_id', 'mahnung_id'] },
  zahlung: { days: ['datum'] },
  kontoumsatz: { days: ['datum'] },
  mahnung: { days: ['datum'] },
  versand: { times: ['angelegt_am'] },
  eingang: { days: ['datum', 'bezahlt_am'], times: ['eingegangen_am'] },
  anlage: { parents: ['rechnung_id'] },
  sepa_lauf: { days: ['tag', 'zurueckgezogen_am'], times: ['angelegt_am'] },
  sepa_posten: { parents: ['lauf_id'] },
  zahllauf: { days: ['tag', 'zurueckgezogen_am'], times: ['angelegt_am'] },
  zahlposten: { parents: ['lauf_id'] },
  eingang_zahlung: { days: ['datum'] },
  protokoll: { times: ['zeit'] },
}
export const OUTSIDE_TABLES = Object.keys(REASONS) as SealedTable[]

/**
 * The last seals from $3 to $4 of records that are not of the period $1 to $2, after $5, at most $6. Times as the seals
 * have them: in UTC.
 */
export function outsideStatement(table: SealedTable): string {
  const { days = [], times = [], parents = [] } = REASONS[table] ?? {}
  const columns = [
    ...[...days, ...parents].map((name) => `'${name}', r.${name}`),
    ...times.map((name) => `'${name}', (to_jsonb(r.${name} at time zone 'UTC') #>> '{}') || '+00:00'`),
  ]
  const key = table === 'protokoll' ? 'nr' : 'id'
  return `with letzte as materialized (
      select distinct on (s.schluessel) s.nr, s.schluessel, s.art from app.siegel s
      where s.tabelle = '${table}' and s.nr between $3 and $4 order by s.schluessel, s.nr desc
    ),
    drin as materialized (select x.schluessel from (${keysStatement(table)}) x)
    select l.nr, jsonb_build_object('nr', l.nr, 'tabelle', '${table}', 'schluessel', l.schluessel,
      'werte', jsonb_build_object(${columns.join(', ')}))::text as zeile
    from letzte l join app.${table} r on r.${key} = l.schluessel::bigint
    where l.art <> 'geloescht' and l.nr > $5 and not exists (select from drin d where d.schluessel = l.schluessel)
    order by l.nr limit $6`
}
