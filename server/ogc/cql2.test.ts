import { describe, expect, test } from 'vitest'
import { Refusal } from '#server/errors.ts'
import type { Column } from './columns.ts'
import { FILTER_LIMITS, parseCql2 } from './cql2.ts'
import { writeFilter } from './cql2-sql.ts'
import { DEFAULT_CRS, readCrs } from './crs.ts'
import { Values } from './sql-text.ts'

const COLUMNS = new Map(
  (
    [
      { name: 'art', type: 'text' },
      { name: 'dn', type: 'integer' },
      { name: 'laenge', type: 'number' },
      { name: 'vermessen', type: 'boolean' },
      { name: 'datum', type: 'date' },
      { name: 'angelegt_am', type: 'timestamp' },
      { name: 'kennung', type: 'uuid' },
      { name: 'strukturen', type: 'json' },
      { name: 'sLVL"01', type: 'text' },
    ] satisfies Pick<Column, 'name' | 'type'>[]
  ).map((column) => [column.name, { ...column, inserted: false, updated: false }]),
)

function written(text: string, crs = DEFAULT_CRS) {
  const values = new Values()
  const geometry = { expression: 't.g3857', epsg: 3857 }
  const sql = writeFilter(parseCql2(text), { columns: COLUMNS, geometry, crs, values })
  return [sql.replaceAll(/\s+/g, ' '), ...values.list]
}
const refused = (text: string): string => {
  try {
    written(text)
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.message}`
    throw error
  }
  return 'taken'
}

/** The last moment of a day. */
const ENDED = (day: string) => `(${day} + interval '1 day' - interval '1 microsecond')`

describe('a filter becomes a condition with its values apart', () => {
  test.each([
    [`art = 'Sauger'`, ['(t."art" = $1::text)', 'Sauger']],
    [`art='a''b'`, ['(t."art" = $1::text)', `a'b`]],
    ['"art" <> \'x\'', ['(t."art" <> $1::text)', 'x']],
    [`"sLVL""01" = 'x'`, ['(t."sLVL""01" = $1::text)', 'x']],
    ['dn >= 50 AND dn<100.5', ['((t."dn" >= $1::numeric) and (t."dn" < $2::numeric))', '50', '100.5']],
    ['50 < dn', ['($1::numeric < t."dn")', '50']],
    ['dn = -1.5e3', ['(t."dn" = $1::numeric)', '-1500']],
    ['dn < laenge', ['(t."dn" < t."laenge")']],
    ['vermessen = true', ['(t."vermessen" = $1::boolean)', 'true']],
    ['NOT vermessen = false', ['(not (t."vermessen" = $1::boolean))', 'false']],
    ['NOT NOT true', ['true']],
    [
      `art = 'a' or art = 'b' and dn = 1`,
      ['((t."art" = $1::text) or ((t."art" = $2::text) and (t."dn" = $3::numeric)))', 'a', 'b', '1'],
    ],
    [
      `(art = 'a' or art = 'b') and dn = 1`,
      ['(((t."art" = $1::text) or (t."art" = $2::text)) and (t."dn" = $3::numeric))', 'a', 'b', '1'],
    ],
    ['dn IS NULL', ['(t."dn" is null)']],
    ['dn is not null', ['(not (t."dn" is null))']],
    ['dn BETWEEN 1 AND 2', ['(t."dn" between $1::numeric and $2::numeric)', '1', '2']],
    [`art NOT IN ('a','b')`, ['(not (t."art" in ($1::text, $2::text)))', 'a', 'b']],
    [`art LIKE 'Sau%'`, ['(t."art" like $1::text)', 'Sau%']],
    [`CASEI(art) LIKE casei('SAU%')`, ['(lower(t."art") like lower($1::text))', 'SAU%']],
    // As GDAL writes them.
    [`art ILIKE 'SAU%'`, ['(lower(t."art") like lower($1::text))', 'SAU%']],
    [`datum >= '2026-05-31T'`, ['(t."datum" >= $1::date)', '2026-05-31']],
    ['vermessen = 1', ['(t."vermessen" = $1::boolean)', 'true']],
    ['vermessen <> 0', ['(t."vermessen" <> $1::boolean)', 'false']],
    [`datum = '2026-05-31'`, ['(t."datum" = $1::date)', '2026-05-31']],
    [`datum > DATE('2026-05-31')`, ['(t."datum" > $1::date)', '2026-05-31']],
    [
      `angelegt_am <= TIMESTAMP('2026-05-31T12:00:00Z')`,
      ['(t."angelegt_am" <= $1::timestamptz)', '2026-05-31T12:00:00Z'],
    ],
    [`kennung = '7e57'`, ['(t."kennung"::text = $1::text)', '7e57']],
    [
      `S_INTERSECTS(geometry, POINT(13.1 52.5))`,
      [
        '(public.st_intersects(t.g3857, public.st_transform(public.st_geomfromtext($1::text, 4326), 3857)))',
        'POINT(13.1 52.5)',
      ],
    ],
    [
      `s_within(geom,POLYGON((0 0, 0 1, 1 1, 0 0),(0.1 0.1,0.2 0.2,0.1 0.2,0.1 0.1)))`,
      [
        '(public.st_within(t.g3857, public.st_transform(public.st_geomfromtext($1::text, 4326), 3857)))',
        'POLYGON((0 0,0 1,1 1,0 0),(0.1 0.1,0.2 0.2,0.1 0.2,0.1 0.1))',
      ],
    ],
    ['geometry IS NULL', ['(t.g3857 is null)']],
    ['"geom" is not null', ['(not (t.g3857 is null))']],
    [
      `S_INTERSECTS(geometry, POINT Z(13.1 52.5 40))`,
      [
        '(public.st_intersects(t.g3857, public.st_transform(public.st_geomfromtext($1::text, 4326), 3857)))',
        'POINT(13.1 52.5)',
      ],
    ],
    [
      `S_DISJOINT(geometry, linestring z (0 0 1, 1 1 2))`,
      [
        '(not public.st_intersects(t.g3857, public.st_transform(public.st_geomfromtext($1::text, 4326), 3857)))',
        'LINESTRING(0 0,1 1)',
      ],
    ],
    [
      `S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(1 5),LINESTRING Z(0 0 1,1 1 1),
        GeometryCollection(POINT(1 2))))`,
      [
        '(public.st_intersects(t.g3857, public.st_transform(public.st_geomfromtext($1::text, 4326), 3857)))',
        'GEOMETRYCOLLECTION(POINT(1 5),LINESTRING(0 0,1 1),GEOMETRYCOLLECTION(POINT(1 2)))',
      ],
    ],
    [
      `T_DURING(datum, INTERVAL('2026-01-01', '..'))`,
      [
        `(t."datum"::timestamptz >= $1::timestamptz and ${ENDED('t."datum"::timestamptz')} < 'infinity'::timestamptz)`,
        '2026-01-01',
      ],
    ],
    [
      `T_BEFORE(angelegt_am, DATE('2026-01-31'))`,
      [`(t."angelegt_am"::timestamptz < $1::timestamptz)`, '2026-01-31'],
    ],
    [
      `T_AFTER(angelegt_am, DATE('2026-01-31'))`,
      [`(t."angelegt_am"::timestamptz > ${ENDED('$1::timestamptz')})`, '2026-01-31'],
    ],
    [
      `T_DURING(angelegt_am, INTERVAL('2026-01-01T08:00:00Z', '2026-01-31'))`,
      [
        '(t."angelegt_am"::timestamptz > $1::timestamptz and t."angelegt_am"::timestamptz <= ' +
          `${ENDED('$2::timestamptz')})`,
        '2026-01-01T08:00:00Z',
        '2026-01-31',
      ],
    ],
  ])('%s', (text, expected) => expect(written(text)).toEqual(expected))

  test('coordinates of a system that begins with the north are turned', () => {
    const [sql] = written('S_INTERSECTS(geometry, POINT(52.5 13.1))', readCrs('EPSG:4326', 'filter-crs'))
    expect(sql).toContain('public.st_flipcoordinates(public.st_geomfromtext($1::text, 4326))')
  })

  test('coordinates of the stored system are compared as they are', () => {
    const [sql, ...values] = written(
      'S_INTERSECTS(geometry, BBOX(1, 2, 3, 4))',
      readCrs('EPSG:3857', 'filter-crs'),
    )
    expect(sql).toBe(
      '(public.st_intersects(t.g3857, public.st_makeenvelope($1::float8, $2::float8, $3::float8, $4::float8, 3857)))',
    )
    expect(values).toEqual([1, 2, 3, 4])
  })
})

describe('what is no filter is refused with the place', () => {
  test.each([
    ['', 'Der Filter endet zu früh'],
    ['art', 'Der Filter endet zu früh'],
    ['art =', 'Der Filter endet zu früh'],
    ["art = 'a", 'Ab Zeichen 7'],
    ["art = 'a' dn = 1", 'Ab Zeichen 11'],
    ["art == 'a'", 'Ab Zeichen 6'],
    ["art = 'a'; drop table x", 'Ab Zeichen 10'],
    ["(art = 'a'", 'Der Filter endet zu früh'],
    ["art = 'a')", 'Ab Zeichen 10'],
    ['art IN ()', 'Ab Zeichen 9'],
    ['art LIKE', 'Der Filter endet zu früh'],
    ['pg_sleep(1) = 1', 'Ab Zeichen 1'],
    ['S_INTERSECTS(geometry)', 'Ab Zeichen 22'],
    ['S_INTERSECTS(geometry, POINT(1))', 'Ab Zeichen 31'],
    ['S_INTERSECTS(geometry, BBOX(1,2,3))', 'Ab Zeichen 24'],
    ["DATE('2026-02-31') = datum", 'Ab Zeichen 6'],
    ["TIMESTAMP('2026-02-01') = datum", 'Ab Zeichen 11'],
    ['fremd = 1', '„fremd“ gibt es hier nicht'],
    ['strukturen = 1', 'Nach „strukturen“ lässt sich nicht filtern'],
    ["dn = 'a'", 'Werte verschiedener Art'],
    ['art = 1', 'Werte verschiedener Art'],
    ["datum = 'gestern'", 'Werte verschiedener Art'],
    ['vermessen = 2', 'verschiedener Art'],
    [`art < '2026-05-31T' AND datum < '2026-05-31TZ'`, 'verschiedener Art'],
    ['dn LIKE 5', 'LIKE vergleicht nur Texte'],
    ["CASEI(dn) = 'a'", 'CASEI vergleicht nur Texte'],
    ["CASEI(CASEI(5)) = 'a'", 'CASEI vergleicht nur Texte'],
    ['S_INTERSECTS(dn, POINT(1 2))', 'Die Geometrie heißt hier'],
    ["T_AFTER(art, DATE('2026-01-01'))", '„art“ ist kein Zeitpunkt'],
    ['S_INTERSECTS(geometry, BBOX(5, 2, 1, 3))', 'Datumsgrenze'],
    ['1 IS NULL', 'IS NULL braucht den Namen'],
    ['geometry = 1', '„geometry“ gibt es hier nicht'],
    ['S_INTERSECTS(geometry, POINT Z(1 2))', 'Ab Zeichen 35'],
    ['S_INTERSECTS(geometry, POINT M(1 2 3))', 'Ab Zeichen 30'],
    ['S_INTERSECTS(geometry, GEOMETRYCOLLECTION())', 'Ab Zeichen 43'],
    ['S_INTERSECTS(geometry, GEOMETRYCOLLECTION(1 2))', 'Ab Zeichen 43'],
    ['S_INTERSECTS(geometry, GEOMETRYCOLLECTION(BBOX(1,2,3,4)))', 'Ab Zeichen 43'],
    ['S_INTERSECTS(geometry, GEOMETRYCOLLECTION(geometry))', 'Ab Zeichen 43'],
    ['S_WITHIN(geometry, GEOMETRYCOLLECTION(POINT(1 2)))', 'GEOMETRYCOLLECTION'],
    [`S_INTERSECTS(geometry, ${'GEOMETRYCOLLECTION('.repeat(25)}POINT(1 2)${')'.repeat(25)})`, 'Ebenen'],
  ])('%s', (text, message) => {
    const said = refused(text)
    expect(said).toMatch(/^400 /)
    expect(said).toContain(message)
  })
})

describe('limits', () => {
  test('brackets, conditions, values, numbers and letters', () => {
    const brackets = (n: number) => `${'('.repeat(n)}dn = 1${')'.repeat(n)}`
    expect(refused(brackets(FILTER_LIMITS.depth))).toBe('taken')
    expect(refused(brackets(FILTER_LIMITS.depth + 1))).toContain('Ebenen von Klammern')
    expect(refused(Array(FILTER_LIMITS.conditions).fill('dn=1').join(' or '))).toBe('taken')
    expect(
      refused(
        Array(FILTER_LIMITS.conditions + 1)
          .fill('dn=1')
          .join(' or '),
      ),
    ).toContain('Bedingungen')
    expect(refused(`dn in (${Array(FILTER_LIMITS.list).fill('1').join(',')})`)).toBe('taken')
    expect(
      refused(
        `dn in (${Array(FILTER_LIMITS.list + 1)
          .fill('1')
          .join(',')})`,
      ),
    ).toContain('Werte')
    const line = (n: number) => `S_INTERSECTS(geom,LINESTRING(${Array(n).fill('1 1').join(',')}))`
    expect(refused(line(1_000))).toBe('taken')
    expect(refused(`art = '${'x'.repeat(FILTER_LIMITS.letters)}'`)).toContain('Zeichen')
    expect(refused(`S_INTERSECTS(geom,${'POLYGON('.padEnd(8 + 30, '(')}1 1${')'.repeat(31)})`)).toContain(
      'Ebenen',
    )
  })

  test('a long text without any sense is refused at once', () => {
    const before = process.cpuUsage().user
    for (const piece of ['(', 'not ', '"', "'", '1 ', 'a.', '= ', '(((1', "''"])
      expect(refused(piece.repeat(FILTER_LIMITS.letters).slice(0, FILTER_LIMITS.letters))).toMatch(/^400 /)
    expect(process.cpuUsage().user - before).toBeLessThan(1_000_000)
  })
})
