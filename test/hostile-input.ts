// Hostile texts, and a check that none of them ever appears in a statement.
import fc from 'fast-check'

/** Texts that end, comment out, re-quote or re-encode a statement assembled from text. */
export const HOSTILE: readonly string[] = [
  `'; drop table shop.album; --`,
  `"; drop table shop.album; --`,
  `1; delete from shop.album`,
  `1) or (1=1`,
  `1 or true --`,
  `' or '1'='1`,
  `" or ""="`,
  `id"."id`,
  `id" from pg_authid; --`,
  `id", (select rolpassword from pg_authid limit 1) as "x`,
  `id desc; update shop.album set stock = 0`,
  `(select set_config('role','postgres',true))`,
  `$$; reset role; $$`,
  `$1`,
  `$1::text; reset role`,
  `E'\\''; reset role; --`,
  `\\'; reset role; --`,
  `\\"; reset role; --`,
  `/*`,
  `*/ reset role /*`,
  `--`,
  `U&"\\0022"`,
  `ʼ; reset role; --`,
  `＇ or ＇1＇=＇1`,
  `\u2028; reset role`,
  `{1,2}'::int[]`,
  `{"a":"}"}`,
  `%27%20or%201=1--`,
  `pg_sleep(5)`,
  `album; copy album to program 'id'`,
  `shop.album`,
  `shop"."album`,
  `../../etc/passwd`,
  `__proto__`,
  `constructor`,
  `toString`,
  `hasOwnProperty`,
]

const FRAGMENTS = [
  'eq.', 'neq.', 'gt.', 'in.(', 'not.', 'is.null', 'like.', 'and(', 'or(', 'not.and(', ')', '(', ',', '.',
  '"', '\\', '!', '!inner', ':', '::', '::text', '->', '->>', '->0', '*', '...', '.sum()', 'count()',
  '(any).', '{1,2}', 'fts.', 'fts(', 'cs.', 'isdistinct.', 'match.',
  'id', 'title', '"Mixed Case"', 'song', 'artist', 'nr', 'id.eq.1', 'a:', 'asc', 'desc', 'nullsfirst', '1',
  '-1', '', ' ', '%', '+', '&', '=', '#', 'é', '😀', '\u0000', '\ud800',
] // biome-ignore format: a list

const NAMES = [
  'id',
  'title',
  '"Mixed Case"',
  'select',
  'order',
  'limit',
  'offset',
  'and',
  'or',
  'not.and',
  'columns',
  'song.nr',
  'song.order',
  'song.limit',
  'song.or',
  'song',
  'meta->a',
  'song.artist.id',
  'nope',
  'on_conflict',
  'x.y.z',
  '"',
]

const value = fc.oneof(
  fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.constantFrom(...HOSTILE),
  fc
    .tuple(fc.constantFrom('eq.', 'in.(', 'not.like.', 'is.'), fc.constantFrom(...HOSTILE))
    .map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    'eq.1',
    'in.(1,2)',
    'id',
    'id,title',
    '*',
    'song(nr)',
    'artist!inner(*)',
    '...artist(name)',
    '...song(nr,artist(id))',
    'song(nr.sum(),album_id)',
    'id,title->a->>0::text',
    'artist(name).desc',
    'is.null',
    'id.desc',
    '5',
    '(id.eq.1,title.is.null)',
  ),
)

const encodeLoosely = (text: string) =>
  text.replace(/[\s&#+%\u0000-\u001f\u007f-\uffff]/g, (char) =>
    char.length === 1 && /[\ud800-\udfff]/.test(char) ? '%ed%a0%80' : encodeURIComponent(char),
  )

/** Query strings, half of them nearly valid. */
export const hostileQuery: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom(...NAMES) },
        { weight: 1, arbitrary: fc.constantFrom(...HOSTILE) },
      ),
      value,
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map(([name, text]) => `${encodeLoosely(name)}=${encodeLoosely(text)}`).join('&'))

/** Request bodies: valid, nearly valid, and invalid. */
export const hostileBody: fc.Arbitrary<string> = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .dictionary(
      fc.oneof(
        fc.constantFrom('id', 'title', 'idArtist', 'price', 'meta', 'tags'),
        fc.constantFrom(...HOSTILE),
      ),
      fc.oneof(fc.constantFrom(...HOSTILE), fc.jsonValue({ maxDepth: 2 })),
      { maxKeys: 4 },
    )
    .map((value) => JSON.stringify(value)),
  fc
    .array(
      fc.dictionary(fc.constantFrom('id', 'name'), fc.oneof(fc.integer(), fc.constantFrom(...HOSTILE)), {
        maxKeys: 2,
      }),
      {
        maxLength: 4,
      },
    )
    .map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '{',
    '[{}',
    '[[]]',
    '{"id":1,"id":2}',
    '{"id":1e999}',
    '{"id":NaN}',
    'null',
    '[null]',
    '""',
    '{"__proto__":{"id":1}}',
    '{"id":"\\u0000"}',
    '{"id":"\\ud800"}',
  ),
)

/** All words of our statements besides names. */
const VOCABULARY: ReadonlySet<string> = new Set(
  `select from
    where and or not as with into insert update delete set
    returning default values
    order by asc desc nulls first last
    limit offset is null true false unknown
  any all like ilike distinct exists group case when then left join on
  else end coalesce lateral materialized variadic text json v n body total done value _t _q _w _p _o _e _j
  _r _a _c _f _one
  pg_catalog count json_agg row_to_json json_strip_nulls json_to_record json_to_recordset
  json_array_elements to_json string_agg array_agg format replace
  to_jsonb jsonb to_tsvector to_tsquery plainto_tsquery phraseto_tsquery websearch_to_tsquery regconfig
  sum avg min max explain
  integer numeric boolean int8 E
  rh rs replaced nullif current_setting set_config on conflict do nothing excluded encode json_build_object
  verbose analyze`.split(/\s+/),
)
const LITERALS: ReadonlySet<string> = new Set([
  `'[]'`,
  `'null'`,
  `'%s'`,
  `'"'`,
  `'""'`,
  `''`,
  `'[",\\r\\n]'`,
  `','`,
  `'\\n'`,
  `'response.headers'`,
  `'response.status'`,
  `'data_api.replaced'`,
  `'0'`,
  `'pgrst_scalar\\n'`,
])

/** Keys of Location, rows and junctions by level, spread resources and their columns. */
const OWN_NAME = /^(k[0-9]+|_[ej][0-9]|_(t|e[0-9]?)s[0-9]|_[0-9]+)$/

/**
 * Returns the first token of a statement that is neither ours nor a catalogue name; null if there is none.
 */
export function foreignToken(sql: string, names: ReadonlySet<string>): string | null {
  // Aggregated rows are grouped by positions of our own.
  const tokens =
    sql
      .replaceAll(/ group by [0-9]+(, [0-9]+)*/g, '')
      .match(/"(?:[^"]|"")*"|'(?:[^']|'')*'|\$[0-9]+|[A-Za-z_][A-Za-z0-9_]*|[0-9]+|\S/g) ?? []
  for (const token of tokens) {
    if (token.startsWith('"') && token.length > 1) {
      if (!names.has(token.slice(1, -1).replaceAll('""', '"'))) return token
    } else if (token.startsWith("'")) {
      if (!LITERALS.has(token)) return token
    } else if (/^[A-Za-z_]/.test(token)) {
      if (!VOCABULARY.has(token) && !OWN_NAME.test(token)) return token
    } else if (!/^(\$[0-9]+|[01]|[(),.=<>:*|@&[\]~+-])$/.test(token)) return token
  }
  return null
}
