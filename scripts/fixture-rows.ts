// Adds a row to each table that the sample data leaves empty, so that a database kept for later versions has
// all of them. Values are derived from the columns, except where a table's rules require specific ones.
import { DatabaseFault, type OwnerConnection } from '../server/database/database.ts'
import { FAITHFUL, readTables, type Table } from '../server/operations/tables.ts'

/** SQL values by table and column. */
const PERSON = { user_id: '(select user_id from app.benutzer order by 1 limit 1)' }
const FILLED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'app.abo_preis': { modul: `'kawm'` },
  'app.ansicht': { ...PERSON, liste: `'kunde'`, spalten: `'{name,ort}'` },
  // Of a draft: the files of what is issued are fixed.
  'app.anlage': {
    mime: `'text/csv'`,
    rechnung_id: `(select id from app.rechnung where zustand = 'entwurf' order by id limit 1)`,
    client_id: `(select client_id from app.rechnung where zustand = 'entwurf' order by id limit 1)`,
  },
  'app.annahme_link': { code_hash: `repeat('a', 64)` },
  'app.datenschutz_vorgang': { art: `'auskunft'`, person_id: '1' },
  'app.dokument': {
    art: `'pdf'`,
    inhalt: `decode('255044462d', 'hex')`,
    sha256: `encode(sha256(decode('255044462d', 'hex')), 'hex')`,
    rechnung_id: '(select id from app.rechnung order by ctid limit 1)',
    client_id: '(select client_id from app.rechnung order by ctid limit 1)',
  },
  'app.einstellung': { ...PERSON, schluessel: `'thema'`, wert: `'"dunkel"'` },
  'app.import_lauf': { ...PERSON, doppelte: `'anhalten'`, zustand: `'fertig'` },
  'app.import_zeile': { ...PERSON },
  'app.import_zuordnung': { ...PERSON },
  'app.karte_stand': { punkte: `'[]'` },
  'app.mahnung': { rechnung_id: '(select id from app.rechnung order by ctid limit 1)' },
  'app.notiz_datei': { mime: `'application/pdf'`, sha256: `repeat('a', 64)` },
  'app.sepa_mandat': {
    referenz: `'M-1'`,
    unterschrieben: `'2026-01-02'`,
    inhaber: `'Muster'`,
    iban: `'DE02120300000000202051'`,
    client_id: '(select client_id from app.rechnung order by ctid limit 1)',
  },
  'app.sepa_lauf': { anzahl: '1', summe: '1' },
  'app.sepa_posten': {
    betrag: '1',
    folge: `'RCUR'`,
    art: `'core'`,
    unterschrieben: `'2026-01-02'`,
    rechnung_id: '(select id from app.rechnung order by ctid limit 1)',
    client_id: '(select client_id from app.rechnung order by ctid limit 1)',
    mandat_id: '(select id from app.sepa_mandat limit 1)',
  },
  'app.serie_lauf': { art: `'entwurf'` },
  'app.verlauf': { aktion: `'neu'` },
  'app.vermessungsbilder': {
    tabelle: `'schacht'`,
    typ: `'image/jpeg'`,
    sha256: `repeat('a', 64)`,
    klein: `repeat('a', 64)`,
    mittel: `repeat('a', 64)`,
    gross: `repeat('a', 64)`,
  },
  'app.versand': {
    weg: `'portal'`,
    zustand: `'wartet'`,
    grund: `''`,
    rechnung_id: '(select id from app.rechnung order by ctid limit 1)',
    client_id: '(select client_id from app.rechnung order by ctid limit 1)',
  },
  'betrieb.pruefung': { ergebnis: `'ok'` },
  'betrieb.sicherung': { engine: `'embedded'`, ergebnis: `'ok'` },
  'idp.anmeldevorgang': { schritt: `'code'` },
  'idp.einmal_link': { art: `'einrichtung'`, konto_id: 'null' },
  'idp.post': { art: `'einladung'`, empfaenger: `'wer@forst.example'` },
  'idp.schluessel': { zustand: `'gesperrt'` },
  'accounts.beendete_sitzung': { sid: `repeat('s', 20)` },
  'forest.habitat_geloescht': { art: `'baum'` },
  'maps.vermessung_geloescht': { tabelle: `'schacht'` },
}

interface Column {
  readonly name: string
  readonly type: string
  readonly needed: boolean
  /** The referenced column. */
  readonly refers: string | null
  readonly of: string | null
}

const COLUMNS = `select quote_ident(a.attname) as name, t.typname as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as needed,
    (select quote_ident(f.attname) from pg_attribute f where f.attrelid = k.confrelid
    and f.attnum = k.confkey[array_position(k.conkey, a.attnum)]) as refers,
    k.confrelid::regclass::text as of
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join lateral (select * from pg_constraint k where k.conrelid = a.attrelid and k.contype = 'f'
    and a.attnum = any (k.conkey) order by array_length(k.conkey, 1) limit 1) k on true
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum`

const BY_TYPE: Readonly<Record<string, string>> = {
  bool: 'false',
  bytea: `decode(repeat('0a', 32), 'hex')`,
  date: `date '2026-11-01'`,
  float8: '1',
  int2: '1',
  int4: '1',
  int8: '1',
  json: `'{}'`,
  jsonb: `'{}'`,
  numeric: '1',
  timestamptz: `timestamptz '2026-11-01 12:00+01'`,
  uuid: 'gen_random_uuid()',
}

const valueOf = ({ type, refers, of }: Column): string =>
  refers !== null && of !== null
    ? `(select ${refers} from ${of} where ${refers} is not null order by ctid limit 1)`
    : (BY_TYPE[type] ?? (type.startsWith('_') ? `'{}'` : `'ä „x"'`))

/** Returns the tables that are still empty, with the reason. */
export async function fillEmptyTables(owner: OwnerConnection): Promise<{ table: string; reason: string }[]> {
  const left: { table: string; reason: string }[] = []
  await owner.script(`begin; ${FAITHFUL}`)
  for (const table of await readTables(owner)) {
    if ((await owner.query(`select from ${table.name} limit 1`)).rows.length > 0) continue
    const reason = await fill(owner, table)
    if (reason !== null) left.push({ table: table.name, reason })
  }
  await owner.script('commit')
  return left
}

async function fill(owner: OwnerConnection, { name, forced }: Table): Promise<string | null> {
  const { rows } = await owner.query<Column>(COLUMNS, [name])
  const given = FILLED[name] ?? {}
  const used = rows.filter((column) => column.needed || given[column.name] !== undefined)
  const values = used.map((column) => given[column.name] ?? valueOf(column))
  const force = forced ? `alter table ${name} no force row level security;` : ''
  const back = forced ? `; alter table ${name} force row level security` : ''
  const columns =
    used.length === 0
      ? 'default values'
      : `(${used.map((column) => column.name).join(', ')}) overriding system value values (${values.join(', ')})`
  try {
    await owner.script(
      `savepoint one_row; ${force} alter table ${name} disable trigger user; ` +
        `insert into ${name} ${columns}; alter table ${name} enable trigger user${back}`,
    )
    await owner.script('set constraints all immediate')
    return null
  } catch (error) {
    await owner.script('rollback to one_row')
    return error instanceof DatabaseFault ? error.message : String(error)
  }
}
