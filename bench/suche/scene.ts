// 100,000 customers, headquarters and people each, and what someone looking for one of them types.
import { WOMEN, HOUSES, MEN, SURNAMES, STREETS, FORESTS } from '../../db/seeds/words.ts'

const list = (words: readonly string[]) =>
  `'{${words.map((word) => JSON.stringify(word)).join(',')}}'::text[]`
const PLACES = [
  'Leipzig',
  'Kassel',
  'Göttingen',
  'Fürth',
  'Würzburg',
  'Bad Homburg',
  'Zwickau',
  'Suhl',
  'Goslar',
  'Ulm',
]
const KINDS = [
  'Forstbetrieb',
  'Waldgenossenschaft',
  'Forstverwaltung',
  'Gutsverwaltung',
  'Stiftung',
  'Stadt',
  'Gemeinde',
]

export const ISS = 'bench'
/** Sees everything; customers 1 to 3 with their headquarters and people; a single headquarters. */
export const CALLERS = {
  ogf_admin: { sub: 'ogf_admin', groups: ['appuser_apus_admin'] },
  kundenadmin: { sub: 'kundenadmin', groups: ['appuser_admin'] },
  ogf_standard: { sub: 'ogf_standard', groups: ['appuser_validated'] },
} as const

const WORDS = `create temp table w on commit drop as select ${list(SURNAMES)} as nach,
  ${list([...WOMEN, ...MEN])} as vor, ${list(STREETS)} as strasse, ${list(FORESTS)} as wald,
  ${list(HOUSES)} as haus,
    ${list(PLACES)} as ort, ${list(KINDS)} as art;`
const customers = (
  from: number,
  to: number,
) => `insert into app.kunde (client_id, name, strasse, plz, ort, ap_vorname, ap_nachname)
    select i, art[1 + i % 7] || ' ' || (case i % 3 when 0 then nach[1 + (i * 7) % cardinality(nach)] when 1
      then ort[1 + (i / 7) % 10] else haus[1 + (i / 11) % cardinality(haus)] end) || ' ' || i / 13,
      strasse[1 + i % cardinality(strasse)] || ' ' || i % 90, lpad((i % 99999)::text, 5, '0'),
      ort[1 + i % 10], vor[1 + (i * 3) % cardinality(vor)], nach[1 + (i * 5) % cardinality(nach)]
    from w, generate_series(${from}, ${to}) i;`

/** Inserts only customers, with these ids. */
export const customersSql = (from: number, to: number) => `begin; set local role forst_betrieb;
  ${WORDS}
  ${customers(from, to)}
  commit;
  analyze app.kunde`

export const sceneSql = (rows: number) => `begin; set local role forst_betrieb;
  ${WORDS}
  ${customers(1, rows)}
  insert into app.hq ("idHQ", client_id, "sHQ")
  select i, 1 + (i * 31) % ${rows}, 'Revier ' || wald[1 + i % cardinality(wald)] || ' ' || i / 17
  from w, generate_series(1, ${rows}) i;
  insert into app.kunde_hq (hqid, client_id) select "idHQ", client_id from app.hq;
  insert into app.benutzer (user_id, email, username, first_name, last_name, system_status)
    select i, search.sort_key(vor[1 + i % cardinality(vor)]) || '.'
      || search.sort_key(nach[1 + (i / 3) % cardinality(nach)]) || i || '@forst' || i % 50 || '.example',
      'u' || i,
      vor[1 + i % cardinality(vor)], nach[1 + (i / 3) % cardinality(nach)], 'ogf_standard'
      from w, generate_series(1, ${rows}) i;
  insert into app.benutzer_hq (client_id, hqid, user_id) select client_id, "idHQ", "idHQ" from app.hq;
  insert into app.benutzer (user_id, email, username, system_status)
    values (900001, 'admin@bench.example', 'admin', 'ogf_admin'),
      (900002, 'kunde@bench.example', 'kunde', 'kundenadmin'),
    (900003, 'forst@bench.example', 'forst', 'ogf_standard');
  insert into accounts.identitaet (iss, sub, user_id)
    values ('${ISS}', 'ogf_admin', 900001), ('${ISS}', 'kundenadmin', 900002), ('${ISS}', 'ogf_standard', 900003);
  insert into app.benutzer_kunde (client_id, user_id, rolle)
    select i, 900002, 'kundenadmin'
    from generate_series(1, 3) i;
  insert into app.benutzer_hq (client_id, hqid, user_id) select client_id, "idHQ", 900003 from app.hq where "idHQ" = 1;
  commit;
  analyze app.kunde; analyze app.hq; analyze app.benutzer; analyze app.benutzer_hq; analyze app.benutzer_kunde`

/** Prefixes from the second letter on, as the search queries while someone types. */
const typed = (text: string): string[] =>
  Array.from({ length: text.length - 1 }, (_, at) => text.slice(0, at + 2))

/** What people type who know what they want; each key press is a separate query. */
export const TYPED: readonly string[] = [
  'müller',
  'Mueller Goslar',
  'schroder',
  'Forstbetrieb Arnsfeld',
  'wiebke zimmer',
  'Kiefernheide 12',
  'Alter Berg',
  '04711',
  '#815',
  'Bad Homburg',
  'anna.wolff',
  'stadt ulm 77',
  'hospital',
  'gibt es nicht',
  'fürth',
].flatMap(typed)

/** Matches every record of a kind, or none after all of them were checked. */
export const HEAVY: readonly string[] = [
  'fo',
  'forst',
  're',
  'revier',
  'st st',
  '.example',
  '@forst1',
  'er',
  'rst',
  'a b c d e f',
]
