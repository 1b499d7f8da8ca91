import { describe, expect, test } from 'vitest'
import { formulaText, type Formula, mapColumns } from '#server/data-api/formula.ts'
import type { Column } from '#server/data-api/relation.ts'
import { type Property, propertyOf } from './edm.ts'
import { readFilter } from './filter.ts'

const TYPES = {
  id: 'bigint',
  name: 'text',
  plz: 'character varying(12)',
  netto: 'numeric(14,2)',
  laenge: 'double precision',
  jahr: 'integer',
  datum: 'date',
  zeit: 'timestamp with time zone',
  uhr: 'time without time zone',
  kennung: 'uuid',
  aktiv: 'boolean',
  ebenen: 'text[]',
  gründe: 'text',
}
const PROPERTIES = new Map<string, Property>(
  Object.entries(TYPES).map(([name, type]) => [
    name,
    propertyOf({ name, type, nullable: true, label: name })!,
  ]),
)

/** As SQL, with each value in its place. */
function written(filter: string): string {
  const values: unknown[] = []
  const formula: Formula<Column> = mapColumns(readFilter(filter, PROPERTIES), (name) => ({ name }) as Column)
  const text = formulaText(
    formula,
    ({ name }) => name,
    (value) => `$${values.push(value)}`,
  )
  return text
    .replaceAll(/\$(\d+)/g, (_, nr) => JSON.stringify(values[Number(nr) - 1]))
    .replaceAll('pg_catalog.', '')
}

const CASES: readonly (readonly [filter: string, sql: string])[] = [
  ['id eq 5', '(id = "5"::bigint)'],
  ['id ne -5', '(id is distinct from "-5"::bigint)'],
  ["name gt 'a'", '(name > "a"::text)'],
  ['netto ge 0.10', '(netto >= "0.10"::numeric)'],
  ['netto lt 5', '(netto < "5"::bigint)'],
  ['laenge le 0.1', '(laenge <= "0.1"::double precision)'],
  ['laenge eq 1e3', '(laenge = "1e3"::double precision)'],
  ['jahr eq 12345678901234567890', '(jahr = "12345678901234567890"::numeric)'],
  ['netto eq 12.50M', '(netto = "12.50"::numeric)'],
  ['id eq 5L', '(id = "5"::bigint)'],
  ["name eq 'O''Brien'", '(name = "O\'Brien"::text)'],
  ["name eq ''", '(name = ""::text)'],
  ["name eq 'and (or) not'", '(name = "and (or) not"::text)'],
  ["gründe eq 'Größe 😀'", '(gründe = "Größe 😀"::text)'],
  ['name eq null', '(name is null)'],
  ['null ne name', '(name is not null)'],
  ['name eq plz', '(name is not distinct from plz)'],
  ['null eq null', '"true"::boolean'],
  ['null ne null', '"false"::boolean'],
  ["not (null eq null) or name eq 'a'", '(("true"::boolean is not true) or (name = "a"::text))'],
  // What is computed of a missing value is missing, and the same as another missing one.
  ['tolower(name) eq tolower(plz)', '(lower(name) is not distinct from lower(plz))'],
  ['jahr add 1 eq netto', '((jahr + "1"::bigint) is not distinct from netto)'],
  ['name ne plz', '(name is distinct from plz)'],
  ["tolower(name) eq tolower('A')", '(lower(name) = lower("A"::text))'],
  ['zeit eq 2026-01-01', `(zeit = ("2026-01-01"::date::timestamp at time zone 'UTC'))`],
  ['datum eq 2026-12-31', '(datum = "2026-12-31"::date)'],
  ['zeit ge 2026-01-01T00:00:00Z', '(zeit >= "2026-01-01T00:00:00Z"::timestamptz)'],
  ['zeit ge 2026-01-01T00:00:00+01:00', '(zeit >= "2026-01-01T00:00:00+01:00"::timestamptz)'],
  // A plus that arrives as a blank.
  ['zeit ge 2026-01-01T00:00:00 01:00', '(zeit >= "2026-01-01T00:00:00+01:00"::timestamptz)'],
  ['zeit ge 2026-01-01T00:00:00.1234567Z', '(zeit >= "2026-01-01T00:00:00.1234567Z"::timestamptz)'],
  ["zeit eq datetime'2026-01-01T12:00:00'", '(zeit = "2026-01-01T12:00:00Z"::timestamptz)'],
  ["zeit eq datetime'2026-01-01'", '(zeit = "2026-01-01T00:00:00Z"::timestamptz)'],
  [
    "kennung eq guid'0b1c2d3e-0000-4000-8000-000000000000'",
    '(kennung = "0b1c2d3e-0000-4000-8000-000000000000"::uuid)',
  ],
  [
    'kennung eq 0b1c2d3e-0000-4000-8000-000000000000',
    '(kennung = "0b1c2d3e-0000-4000-8000-000000000000"::uuid)',
  ],
  [
    'datum ge 2026-01-01T00:00:00Z',
    `((datum::timestamp at time zone 'UTC') >= "2026-01-01T00:00:00Z"::timestamptz)`,
  ],
  ['zeit lt 2026-01-01', `(zeit < ("2026-01-01"::date::timestamp at time zone 'UTC'))`],
  ['uhr lt 12:30:00', '(uhr < "12:30:00"::time)'],
  ['aktiv', 'aktiv'],
  ['aktiv eq true', '(aktiv = "true"::boolean)'],
  ['not aktiv', '(aktiv is not true)'],
  ["not (name eq 'a')", '((name = "a"::text) is not true)'],
  [
    "not contains(name,'a') and id eq 1",
    '(((strpos(name, "a"::text) > 0) is not true) and (id = "1"::bigint))',
  ],
  [
    'id eq 1 or id eq 2 and jahr eq 3',
    '((id = "1"::bigint) or ((id = "2"::bigint) and (jahr = "3"::bigint)))',
  ],
  [
    '(id eq 1 or id eq 2) and jahr eq 3',
    '(((id = "1"::bigint) or (id = "2"::bigint)) and (jahr = "3"::bigint))',
  ],
  ['id in (1, 2,3)', '(id = any(["1","2","3"]::bigint[]))'],
  ["name in ('a','b''c')", '(name = any(["a","b\'c"]::text[]))'],
  ['id in (1,null)', '((id is null) or (id = any(["1"]::bigint[])))'],
  ['zeit in (2026-01-01)', '(zeit = any(["2026-01-01T00:00:00Z"]::timestamptz[]))'],
  [
    'zeit in (2026-01-01T08:00:00Z,2026-01-02)',
    '(zeit = any(["2026-01-01T08:00:00Z","2026-01-02T00:00:00Z"]::timestamptz[]))',
  ],
  [
    'datum in (2026-01-02,2026-01-01T08:00:00Z)',
    `((datum::timestamp at time zone 'UTC') = any(["2026-01-02T00:00:00Z","2026-01-01T08:00:00Z"]::timestamptz[]))`,
  ],
  ['netto in (1,2.5)', '(netto = any(["1","2.5"]::numeric[]))'],
  ["startswith(name,'Wald')", 'starts_with(name, "Wald"::text)'],
  [
    "endswith(tolower(name),'holz') eq true",
    '((right(lower(name), length("holz"::text)) = "holz"::text) = "true"::boolean)',
  ],
  ["indexof(name,'x') eq 0", '((strpos(name, "x"::text) - 1)::bigint = "0"::bigint)'],
  ['length(name) gt 3', '(length(name)::bigint > "3"::bigint)'],
  ['year(datum) eq 2026', '((extract(year from datum))::bigint = "2026"::bigint)'],
  ['month(zeit) eq 1', `((extract(month from zeit at time zone 'UTC'))::bigint = "1"::bigint)`],
  ['date(zeit) eq 2026-01-01', `((zeit at time zone 'UTC')::date = "2026-01-01"::date)`],
  ["concat(concat(plz,' '),name) eq '1 a'", '(((plz || " "::text) || name) = "1 a"::text)'],
  ['netto mul 2 add 1 gt 5', '(((netto * "2"::bigint) + "1"::bigint) > "5"::bigint)'],
  ['jahr sub 2000 eq -3', '((jahr - "2000"::bigint) = "-3"::bigint)'],
  ['-jahr lt 0', '((- jahr) < "0"::bigint)'],
  ['jahr divby 2 eq 1.5', '((jahr::numeric / "2"::bigint) = "1.5"::numeric)'],
  ['round(netto) eq 5', '(round(netto) = "5"::bigint)'],
  ['round(laenge) eq 3', '(round(laenge::text::numeric)::double precision = "3"::double precision)'],
  [
    'round(laenge mul 0.5) eq 3',
    '(round((laenge * "0.5"::numeric)::text::numeric)::double precision = "3"::double precision)',
  ],
  ['round(2.5) eq netto', '(round("2.5"::numeric) = netto)'],
  ['zeit le now()', '(zeit <= now())'],
  ['ebenen ne null', '(ebenen is not null)'],
]

const REFUSED: readonly (readonly [filter: string, why: RegExp])[] = [
  ['', /Zeichen 1: Hier fehlt ein Wert/],
  ['id', /Bedingung/],
  ['id eq', /fehlt ein Wert/],
  ['id eq 1 and', /fehlt ein Wert/],
  ['(id eq 1', /fehlt „\)“/],
  ['id eq 1)', /passt hier nicht/],
  ['id = 1', /„=“ passt hier nicht/],
  ["id eq '1'", /Zahl und Text lassen sich nicht/],
  ['name eq Wald', /Die Spalte „Wald“ gibt es hier nicht/],
  ['geheim eq 1', /Die Spalte „geheim“/],
  ["name eq 'a", /passt hier nicht/],
  ["name eq 'a' or 1", /verbindet Bedingungen/],
  ['name gt null', /nur eq und ne/],
  ["ebenen eq 'a'", /nur mit null/],
  ['id in ()', /fehlt ein Wert/],
  ['id in (jahr)', /fehlt ein Wert/],
  ["ebenen/any(e: e eq 'a')", /„:“ passt hier nicht/],
  ['ebenen/any()', /anderer Tabellen/],
  ['kunde/name eq 1', /anderer Tabellen/],
  ["geo.distance(name,'a') lt 1", /passt hier nicht/],
  ["cast(name,'x') eq 1", /„cast“ wird nicht unterstützt/],
  ["matchesPattern(name,'x')", /„matchesPattern“ wird nicht unterstützt/],
  ["name has 'x'", /„has“ wird nicht unterstützt/],
  ['sleep(5) eq 1', /Die Funktion „sleep“ gibt es hier nicht/],
  ["contains(id,'1')", /passt nicht zu diesen Werten/],
  ['contains(name)', /passt nicht zu diesen Werten/],
  ['laenge mod 2 eq 1', /„mod“/],
  ['name add 1 eq 2', /rechnet mit Zahlen/],
  ['datum eq 2026-13-01', /passt hier nicht|rechnet|vergleichen|fehlt/],
  ['id eq 1; drop table kunde', /„;“ passt hier nicht/],
  ['id eq 1 -- ', /passt hier nicht/],
  ["name eq 'a' /* */", /passt hier nicht/],
  ['__proto__ eq 1', /Die Spalte „__proto__“/],
  ['constructor(1) eq 1', /Die Funktion „constructor“/],
  ["datetime'x' eq zeit", /keine Angabe|passt hier nicht/],
]

describe('$filter', () => {
  test.each(CASES)('%s', (filter, sql) => expect(written(filter)).toBe(sql))
  test.each(REFUSED)('refuses %s', (filter, why) => expect(() => written(filter)).toThrow(why))

  test('as deep as thirty levels, and not deeper', () => {
    const deep = (levels: number) => `${'('.repeat(levels)}id eq 1${')'.repeat(levels)}`
    expect(written(deep(30))).toContain('id =')
    expect(() => written(deep(31))).toThrow(/30 Ebenen/)
    expect(() => written(`${'not '.repeat(31)}aktiv`)).toThrow(/30 Ebenen/)
    expect(() => written(`${'-'.repeat(2_000)}(jahr) eq 1`)).toThrow()
    expect(() => written(`${'tolower('.repeat(2_000)}name${')'.repeat(2_000)} eq 'a'`)).toThrow(/30 Ebenen/)
  })

  test('a condition as long as an address is read in milliseconds', () => {
    const long = Array.from({ length: 700 }, (_, nr) => `id eq ${nr}`).join(' or ')
    const hostile = [
      long,
      "'".repeat(8_000),
      '('.repeat(8_000),
      '-1'.repeat(4_000),
      `${'a'.repeat(8_000)} eq 1`,
    ]
    const started = performance.now()
    for (const text of hostile)
      try {
        written(text)
      } catch {
        // Refused, which is what is timed too.
      }
    expect(performance.now() - started).toBeLessThan(500)
  })
})
