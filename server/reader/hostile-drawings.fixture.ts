// Drawings (DXF) made to bring a reader down: curves that become very many points, texts and names without measure.
import type { HostileFile } from './hostile-files.fixture.ts'

const TOO_COSTLY = ['datei_aufwand']
type Group = readonly [code: number, value: string | number]

const linesOf = (groups: readonly Group[]): string =>
  groups.map(([code, value]) => `${code}\n${value}\n`).join('')
const drawing = (entities: string): Buffer =>
  Buffer.from(`0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`)
const withBlocks = (blocks: string, entities: string): Buffer =>
  Buffer.from(
    `0\nSECTION\n2\nBLOCKS\n${blocks}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n${entities}0\nENDSEC\n0\nEOF\n`,
  )
const block = (name: string, inner: string): string => `0\nBLOCK\n2\n${name}\n${inner}0\nENDBLK\n`
const insert = (name: string, more: readonly Group[] = []): string =>
  linesOf([[0, 'INSERT'], [2, name], ...place(0, 0), ...more])
const LONG_LINE = '0\nLINE\n10\n0\n20\n0\n11\n500\n21\n500\n'
const place = (x: number, y: number): readonly Group[] => [
  [10, 400_000 + x],
  [20, 5_900_000 + y],
]
const repeated = <T>(count: number, make: (nr: number) => readonly T[]): T[] =>
  Array.from({ length: count }, (_, nr) => make(nr)).flat()

/** Every span of it is as crooked as can be. */
const spline = (poles: number, knot: (nr: number) => number): Buffer =>
  drawing(
    linesOf([
      [0, 'SPLINE'],
      [71, 3],
      ...repeated<Group>(poles + 4, (nr) => [[40, knot(nr)]]),
      ...repeated(poles, (nr) => place(nr % 2 === 0 ? 0 : 90_000, nr)),
    ]),
  )

export const DRAWINGS: readonly HostileFile[] = (
  [
    ['a spline of sixty thousand crooked spans', () => spline(60_000, (nr) => nr), TOO_COSTLY],
    ['a spline whose knots are all the same', () => spline(5_000, () => 1), ['gelesen']],
    [
      'a hundred thousand bulges as large as planets',
      () =>
        drawing(
          linesOf([
            [0, 'LWPOLYLINE'],
            ...repeated<Group>(100_000, (nr) => [...place(nr % 2 === 0 ? 0 : 99_000, nr), [42, 1e6 + nr]]),
          ]),
        ),
      [...TOO_COSTLY, 'gelesen'],
    ],
    [
      'two hundred thousand ellipses',
      () =>
        drawing(linesOf([[0, 'ELLIPSE'], ...place(0, 0), [11, 90_000], [40, 1], [42, 6.3]]).repeat(200_000)),
      [...TOO_COSTLY, 'gelesen'],
    ],
    [
      'an entity of two million groups',
      () => drawing(`0\nPOINT\n${linesOf([[1, 'x']]).repeat(2_000_000)}`),
      TOO_COSTLY,
    ],
    [
      'a text that is nothing but control sequences',
      () =>
        drawing(
          linesOf([[0, 'MTEXT'], ...place(0, 0), [1, '\\A'.repeat(2_000_000)], [3, '{'.repeat(2_000_000)]]),
        ),
      [...TOO_COSTLY, 'gelesen'],
    ],
    [
      'attributes with names of a megabyte',
      () =>
        drawing(
          linesOf([
            [0, 'INSERT'],
            ...place(0, 0),
            ...repeated<Group>(20, (nr) => [
              [0, 'ATTRIB'],
              [2, `${nr}${'n'.repeat(2 ** 20)}`],
              [1, 'x'],
            ]),
          ]),
        ),
      ['gelesen'],
    ],
    [
      'blocks of ten blocks of ten blocks',
      () =>
        withBlocks(
          block('B0', LONG_LINE) +
            repeated(9, (nr) => [block(`B${nr + 1}`, insert(`B${nr}`).repeat(10))]).join(''),
          insert('B9'),
        ),
      ['zu_viele_objekte', ...TOO_COSTLY],
    ],
    [
      'a block that contains itself a hundred times',
      () => withBlocks(block('B', LONG_LINE + insert('B').repeat(100)), insert('B')),
      ['zu_viele_objekte', ...TOO_COSTLY],
    ],
    [
      'a grid of a thousand million symbols',
      () =>
        withBlocks(
          block('B', ''),
          insert('B', [
            [70, 32_767],
            [71, 32_767],
          ]),
        ),
      ['zu_viele_objekte'],
    ],
    [
      'grids of grids',
      () => {
        const grid: readonly Group[] = [
          [70, 500],
          [71, 499],
        ]
        return withBlocks(
          block('B0', LONG_LINE) +
            repeated(6, (nr) => [block(`B${nr + 1}`, insert(`B${nr}`, grid))]).join(''),
          insert('B6', grid),
        )
      },
      ['zu_viele_objekte', ...TOO_COSTLY],
    ],
    [
      'two hundred thousand blocks, each inserted',
      () =>
        withBlocks(
          repeated(200_000, (nr) => [block(`B${nr}`, LONG_LINE)]).join(''),
          repeated(200_000, (nr) => [insert(`B${nr}`)]).join(''),
        ),
      ['gelesen', ...TOO_COSTLY],
    ],
    [
      'a block of a million groups, inserted a thousand times',
      () =>
        withBlocks(
          block('B', LONG_LINE + `0\nHATCH\n${linesOf([[1, 'x']]).repeat(1_000_000)}`),
          insert('B').repeat(1_000),
        ),
      ['gelesen', ...TOO_COSTLY],
    ],
    [
      'a block without an end',
      () => withBlocks(block('B', LONG_LINE).replace('0\nENDBLK\n', ''), insert('B')),
      ['gelesen', 'datei_kaputt'],
    ],
    [
      'a line without an end',
      () => Buffer.from(`0\nSECTION\n2\nENTITIES\n0\nPOINT\n1\n${'x'.repeat(2e7)}`),
      ['datei_kaputt'],
    ],
  ] as const
).map(([what, bytes, ends]) => ({ what: `drawing: ${what}`, name: 'x.dxf', bytes, ends }))
