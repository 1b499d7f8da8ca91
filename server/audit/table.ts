// What a table of an audit is: columns as SQL that returns text, keys, and the rows that belong to a period.

export type ColumnKind = 'text' | 'zahl' | 'datum'
export interface Column {
  readonly name: string
  readonly art: ColumnKind
  readonly decimals?: number
  /** Text, as it is in the file. */
  readonly sql: string
}
export interface Reference {
  readonly column: string
  /** Name of the other table, and of its key if that has another name. */
  readonly table: string
  readonly to?: string
}
export interface Described {
  readonly name: string
  readonly titel: string
  /** The first ones are the primary key. */
  readonly keys: number
  readonly spalten: readonly Omit<Column, 'sql'>[]
  readonly foreign?: readonly Reference[]
}
export interface Table extends Described {
  readonly spalten: readonly Column[]
  /** From the tables to the order. Runs as the caller; $1 and $2 are the first and the last day. */
  readonly rows: string
}

// Aliases are the same everywhere; the test reads from them which stored columns a file carries:
// r rechnung, a angebot, p position, z zahlung, u kontoumsatz, m mahnung, v versand, d dokument,
// j protokoll, n nummernkreis, l lieferant, b kunde_rechnung, i eingang, c kreditor,
// q anlage, y sepa_mandat, f sepa_lauf, h sepa_posten, ez eingang_zahlung, zl zahllauf, zp zahlposten.
export const text = (name: string, sql: string): Column => ({ name, art: 'text', sql })
export const amount = (name: string, decimals: number, sql: string): Column => ({
  name,
  art: 'zahl',
  decimals,
  sql: `replace((${sql})::text, '.', ',')`,
})
export const id = (name: string, sql: string): Column => ({
  name,
  art: 'zahl',
  decimals: 0,
  sql: `(${sql})::text`,
})
export const day = (name: string, sql: string): Column => ({
  name,
  art: 'datum',
  sql: `to_char((${sql})::date, 'DD.MM.YYYY')`,
})
export const moment = (name: string, sql: string): Column =>
  text(name, `to_char(${sql} at time zone 'Europe/Berlin', 'DD.MM.YYYY HH24:MI:SS')`)
export const yes = (name: string, sql: string): Column =>
  text(name, `case when ${sql} then 'ja' else 'nein' end`)

/**
 * What belongs to a period: what is dated in it, and what that refers to, so that every key finds its row. A
 * payment of the period may pay an older invoice, which is then there with "Im Zeitraum" nein.
 */
const SETS = `with recursive
  versand_p as (
    select v.id, v.rechnung_id, v.angebot_id, v.mahnung_id from app.versand v
    where (v.angelegt_am at time zone 'Europe/Berlin')::date between $1::date and $2::date
  ),
  mahnung_p as (
    select m.id, m.rechnung_id from app.mahnung m
    where m.datum between $1::date and $2::date or m.id in (select w.mahnung_id from versand_p w)
  ),
  zahlung_a as (
    select z.id, z.gegen_id from app.zahlung z where z.datum between $1::date and $2::date
  ),
  zahlung_p as (
    select z.id, z.rechnung_id, z.umsatz_id from app.zahlung z
    where z.id in (select w.id from zahlung_a w union select w.gegen_id from zahlung_a w)
  ),
  lauf_p as (
    select f.id from app.sepa_lauf f
    where f.tag between $1::date and $2::date or f.zurueckgezogen_am between $1::date and $2::date
      or (f.angelegt_am at time zone 'Europe/Berlin')::date between $1::date and $2::date
  ),
  rechnung_a as (
    select r.id, coalesce(r.storno_von, r.korrektur_von) as storno_von from app.rechnung r
    where r.beleg is not null and (
      r.rn_datum between $1::date and $2::date
      or r.id in (
        select w.rechnung_id from zahlung_p w union select w.rechnung_id from mahnung_p w
        union select w.rechnung_id from versand_p w
        union select e.rechnung_id from app.sepa_posten e where e.lauf_id in (select w.id from lauf_p w)
      )
    )
  ),
  rechnung_p as (
    select w.id from rechnung_a w union select w.storno_von from rechnung_a w where w.storno_von is not null
    union select (x ->> 'id')::bigint from rechnung_a w join app.rechnung f on f.id = w.id
      cross join lateral jsonb_array_elements(f.beleg -> 'abschlaege') x
  ),
  angebot_p as (
    select a.id, a.ersetzt from app.angebot a
    where a.beleg is not null and (
      a.an_datum between $1::date and $2::date
      or a.id in (
        select w.angebot_id from versand_p w
        union select x.angebot_id from app.rechnung x where x.id in (select w.id from rechnung_p w)
        union select y.angebot_id from app.position x join app.position y on y.id = x.angebot_position_id
          where x.rechnung_id in (select w.id from rechnung_p w)
      )
    )
    union select a.id, a.ersetzt from app.angebot a join angebot_p w on w.ersetzt = a.id
  )`

/** Payments of received invoices that are dated in the period, and those that they take back. */
export const PAID = `(
    ez.datum between $1::date and $2::date
    or ez.id in (select n.gegen_id from app.eingang_zahlung n where n.datum between $1::date and $2::date)
  )`
/** Files of credit transfers that were made, carried out or withdrawn in the period, or paid something in it. */
export const TRANSFERS = `(
    zl.tag between $1::date and $2::date or zl.zurueckgezogen_am between $1::date and $2::date
    or (zl.angelegt_am at time zone 'Europe/Berlin')::date between $1::date and $2::date
    or zl.id in (
      select n.lauf_id from app.zahlposten n join app.eingang_zahlung ez on ez.posten_id = n.id where ${PAID}
    )
  )`
/** Received invoices that arrived in the period, are dated in it, were paid in it, or stand in a file of it. */
export const RECEIVED = `(
    (i.eingegangen_am at time zone 'Europe/Berlin')::date between $1::date and $2::date
    or i.datum between $1::date and $2::date or i.bezahlt_am between $1::date and $2::date
    or i.id in (select ez.eingang_id from app.eingang_zahlung ez where ${PAID})
    or i.id in (
      select zp.eingang_id from app.zahlposten zp join app.zahllauf zl on zl.id = zp.lauf_id where ${TRANSFERS}
    )
  )`
/** Bank entries of the period, and those that paid something of it. */
export const ENTRIES = `(
    u.datum between $1::date and $2::date or u.id in (select w.umsatz_id from zahlung_p w)
    or u.id in (select ez.umsatz_id from app.eingang_zahlung ez where ${PAID})
  )`

/** Mandates that were entered or withdrawn in the period, or by which something of it was collected. */
export const MANDATES = `(
    (y.angelegt_am at time zone 'Europe/Berlin')::date between $1::date and $2::date
    or y.widerrufen_am between $1::date and $2::date
    or y.id in (select h.mandat_id from app.sepa_posten h where h.lauf_id in (select w.id from lauf_p w))
  )`

/** Rows of a table, columns in the order of the description. */
export const statementOf = ({ spalten, rows }: Table): string =>
  `${SETS} select ${spalten.map(({ sql }) => sql).join(', ')} ${rows}`

/** Ids of the records of a period, by the table that stores them. */
const KEYS = {
  rechnung: 'select w.id from rechnung_p w',
  angebot: 'select w.id from angebot_p w',
  position: `select p.id from app.position p
    where p.rechnung_id in (select w.id from rechnung_p w) or p.angebot_id in (select w.id from angebot_p w)`,
  dokument: `select d.id from app.dokument d left join app.rechnung r on r.id = d.rechnung_id
      left join app.angebot a on a.id = d.angebot_id left join app.mahnung m on m.id = d.mahnung_id
    where coalesce(r.rn_datum, a.an_datum, m.datum) between $1::date and $2::date`,
  zahlung: 'select w.id from zahlung_p w',
  kontoumsatz: `select u.id from app.kontoumsatz u where ${ENTRIES}`,
  mahnung: 'select w.id from mahnung_p w',
  versand: 'select w.id from versand_p w',
  eingang: `select i.id from app.eingang i where ${RECEIVED}`,
  anlage: `select q.id from app.anlage q where q.rechnung_id in (select w.id from rechnung_p w)
    and exists (select from app.rechnung r where r.id = q.rechnung_id and r.beleg is not null)`,
  kreditor: `select c.id from app.kreditor c
    where c.id in (select i.kreditor_id from app.eingang i where ${RECEIVED})`,
  sepa_mandat: `select y.id from app.sepa_mandat y where ${MANDATES}`,
  sepa_lauf: 'select w.id from lauf_p w',
  sepa_posten: 'select e.id from app.sepa_posten e where e.lauf_id in (select w.id from lauf_p w)',
  zahllauf: `select zl.id from app.zahllauf zl where ${TRANSFERS}`,
  zahlposten: `select zp.id from app.zahlposten zp
    where zp.lauf_id in (select zl.id from app.zahllauf zl where ${TRANSFERS})`,
  eingang_zahlung: `select ez.id from app.eingang_zahlung ez where ${PAID}`,
  protokoll: `select j.nr as id from app.protokoll j
    where (j.zeit at time zone 'Europe/Berlin')::date between $1::date and $2::date`,
} as const
export type SealedTable = keyof typeof KEYS
export const SEALED_TABLES = Object.keys(KEYS) as SealedTable[]

/** Keys of the records of a period, as seals name them. */
export const keysStatement = (table: SealedTable): string =>
  `${SETS} select k.id::text as schluessel from (${KEYS[table]}) k order by k.id`
