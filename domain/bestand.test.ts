// Stands by cases: addresses, order, narrowing, classes, species, sums.
import { describe, expect, test } from 'vitest'
import {
  type Address,
  addressKey,
  addressText,
  ageClassOf,
  type Kind,
  DEFAULT_LEVELS,
  areasByGroup,
  GROUP,
  GROUPS,
  groupOf,
  classYears,
  classText,
  leadingGroupOf,
  byGroup,
  byClass,
  fits,
  romanOf,
  type Stand,
  levels,
  sumsOf,
  stockOf,
  chooseLevel,
} from './bestand.ts'
import { compareAddresses } from './bestand.oracle.ts'

const address = (text: string, s: number | null = null): Address => ({
  l: Array.from({ length: 5 }, (_, at) => text.split('/')[at] || null),
  s,
})
const stand = (text: string, s: number | null, more: Partial<Stand> = {}): Stand => ({
  ...address(text, s),
  ha: 1,
  ak: null,
  vorrat: null,
  arten: [],
  ...more,
})
const art = (
  baumart: string,
  more: { schicht?: string; anteil?: number; ha?: number; vorrat?: number } = {},
): Kind => [more.schicht ?? null, baumart, more.anteil ?? null, more.ha ?? null, null, more.vorrat ?? null]

describe('addresses', () => {
  test.each([
    ['/3/17/b', 2, DEFAULT_LEVELS, 'Rev. 3 / Abt. 17 / b / 2'],
    ['Nord/Waldsee/12a', null, DEFAULT_LEVELS, 'Nord / Waldsee / Abt. 12a'],
    ['//IV/3', null, ['', '', 'Distrikt', 'Jagen', ''], 'Distr. IV / Jg. 3'],
    ['////', 7, DEFAULT_LEVELS, '7'],
    ['////', null, DEFAULT_LEVELS, '–'],
    ['A/B/C/D/E', 0, ['', '', '', '', ''], 'A / B / C / D / E / 0'],
  ] as const)('%s and %s', (text, s, levelNames, expected) =>
    expect(addressText(address(text, s), levelNames)).toBe(expected),
  )
  test('keys tell empty levels from moved ones', () => {
    expect(addressKey(address('/3', 1))).not.toBe(addressKey(address('3', 1)))
    expect(addressKey({ l: ['', '3', null, '', ''], s: 1 })).toBe(addressKey(address('/3', 1)))
  })
  test('come in natural order, the shorter before the longer', () => {
    const wanted = [
      address('1/2b'),
      address('1/12a'),
      address('1/12a/ä'),
      address('1/12a/b', 2),
      address('1/12a/b', 10),
      address('2', 1),
      address('10', 1),
      address('Ahorn'),
    ]
    expect(wanted.toReversed().toSorted(compareAddresses)).toEqual(wanted)
  })
})

describe('narrowing', () => {
  const rows = [
    stand('Amt/3/17/a', 1, { ha: 2 }),
    stand('Amt/3/17/b', 1, { ha: 3 }),
    stand('Amt/3/2', 1, { ha: 5 }),
    stand('Amt/12/1', 1, { ha: 7 }),
    stand('Amt//9', 1, { ha: 11 }),
  ]
  const NONE = [null, null, null, null, null]
  const shown = (selection: readonly (string | null)[]) =>
    levels(rows, selection, DEFAULT_LEVELS).map(({ name, werte }) => [
      name,
      ...werte.map(({ wert, anzahl, ha }) => `${wert}:${anzahl}:${ha}`),
    ])
  test('begins at the first level that says something, with counts and areas, the empty one last', () =>
    expect(shown(NONE)).toEqual([['Revier', '3:3:10', '12:1:7', ':1:11']]))
  test('opens the next level below a choice', () =>
    expect(shown([null, '3', null, null, null])).toEqual([
      ['Revier', '3:3:10', '12:1:7', ':1:11'],
      ['Abteilung', '2:1:5', '17:2:5'],
    ]))
  test('those without a value can be chosen', () => {
    expect(rows.filter((row) => fits(row, [null, '', null, null, null]))).toEqual([rows[4]])
    expect(shown([null, '', null, null, null])).toEqual([['Revier', '3:3:10', '12:1:7', ':1:11']])
  })
  test('what fits no stand any more shows the level and nothing in it', () =>
    expect(
      levels(rows, [null, '99', null, null, null], DEFAULT_LEVELS).map(({ gewaehlt }) => gewaehlt),
    ).toEqual(['99']))
  test('another choice takes away those below', () =>
    expect(chooseLevel(['A', '3', '17', 'b', null], 1, '12')).toEqual(['A', '12', null, null, null]))
  test('a level without a name is called as usual', () =>
    expect(levels(rows, NONE, ['', '', '', '', ''])[0]?.name).toBe('Revier'))
})

describe('ages', () => {
  test.each([
    [0, 1],
    [1, 1],
    [20, 1],
    [21, 2],
    [100, 5],
    [161, 9],
    [240, 12],
    [null, null],
  ])('%s years are of class %s', (alter, ak) => expect(ageClassOf(alter)).toBe(ak))
  test.each([
    [1, 'I'],
    [4, 'IV'],
    [8, 'VIII'],
    [9, 'IX'],
    [14, 'XIV'],
    [49, 'XLIX'],
  ])('%i is %s', (value, text) => expect(romanOf(value)).toBe(text))
  test('the last class is open', () => {
    expect([classText(3), classText(9), classYears(3), classYears(9)]).toEqual([
      'III',
      'IX+',
      [41, 60],
      [161, null],
    ])
  })
  test('areas by class have no gaps, and what is unknown comes last', () =>
    expect(
      byClass([
        stand('1', 1, { ak: 4, ha: 2 }),
        stand('1', 2, { ak: 2 }),
        stand('1', 3, { ha: 5 }),
        stand('1', 4, { ak: 4, ha: 0.5 }),
      ]),
    ).toEqual([
      { key: 1, ha: 0 },
      { key: 2, ha: 1 },
      { key: 3, ha: 0 },
      { key: 4, ha: 2.5 },
      { key: null, ha: 5 },
    ]))
  test('without stands there is none', () => expect(byClass([])).toEqual([]))
})

describe('species', () => {
  test.each([
    ['Rotbuche', 'BU'],
    ['RBU', 'BU'],
    ['Hainbuche', 'BU'],
    ['Traubeneiche', 'EI'],
    ['TEi', 'EI'],
    ['Fichte', 'FI'],
    ['Gemeine Fichte', 'FI'],
    ['Gemeine Kiefer', 'KI'],
    ['GKI', 'KI'],
    ['Weißtanne', 'TA'],
    ['Küstentanne', 'TA'],
    ['DGL', 'DGL'],
    ['Europäische Lärche', 'LAE'],
    ['ELÄ', 'LAE'],
    ['LÄ', 'LAE'],
    ['Bergahorn', 'ALH'],
    ['Esche', 'ALH'],
    ['Eberesche', 'ALN'],
    ['Schwarzerle', 'ALN'],
    ['Sandbirke', 'ALN'],
    ['Eibe', 'SONST'],
    ['', 'SONST'],
    ['Tulpenbaum', 'SONST'],
  ])('%s belongs to %s', (name, group) => expect(groupOf(name)).toBe(group))
  test('every group has a name and a colour of its own', () => {
    expect(new Set(GROUPS.map((one) => GROUP[one].farbe)).size).toBe(GROUPS.length)
    expect(new Set(GROUPS.map((one) => GROUP[one].name)).size).toBe(GROUPS.length)
  })
  test('areas where they are told, else shares, else equal parts; what is under or over counts not', () => {
    const of = (kinds: Kind[]) => [...areasByGroup({ ha: 10, arten: kinds })]
    expect(of([art('BU', { ha: 6 }), art('EI', { ha: 2 })])).toEqual([
      ['BU', 7.5],
      ['EI', 2.5],
    ])
    expect(
      of([art('BU', { anteil: 70 }), art('Rotbuche', { anteil: 10 }), art('FI', { anteil: 20 })]),
    ).toEqual([
      ['BU', 8],
      ['FI', 2],
    ])
    expect(of([art('BU', { anteil: 70 }), art('FI')])).toEqual([
      ['BU', 5],
      ['FI', 5],
    ])
    expect(
      of([
        art('KI', { schicht: 'Oberstand', anteil: 100 }),
        art('BU', { schicht: 'Unterstand', anteil: 100 }),
      ]),
    ).toEqual([['KI', 10]])
    expect(of([art('BU', { schicht: 'Unterstand' })])).toEqual([['BU', 10]])
    expect(of([])).toEqual([['OHNE', 10]])
    expect(of([art('BU', { anteil: 0 })])).toEqual([['OHNE', 10]])
  })
  test('an area of 0 beside a share is none; without a share it is a trace', () => {
    const of = (kinds: Kind[]) => [...areasByGroup({ ha: 10, arten: kinds })]
    const shared = [
      ['BU', 7],
      ['FI', 3],
    ]
    expect(of([art('BU', { anteil: 70, ha: 0 }), art('FI', { anteil: 30, ha: 0 })])).toEqual(shared)
    expect(of([art('BU', { anteil: 70, ha: 0 }), art('FI', { anteil: 30, ha: 3 })])).toEqual(shared)
    expect(of([art('BU', { ha: 4 }), art('FI', { ha: 0 })])).toEqual([
      ['BU', 10],
      ['FI', 0],
    ])
    expect(of([art('BU', { ha: 0 }), art('FI', { ha: 0 })])).toEqual([
      ['BU', 5],
      ['FI', 5],
    ])
  })
  test('the largest part leads, of equals the first', () => {
    expect(leadingGroupOf({ ha: 1, arten: [art('FI', { anteil: 30 }), art('BU', { anteil: 70 })] })).toBe(
      'BU',
    )
    expect(leadingGroupOf({ ha: 1, arten: [art('FI', { anteil: 50 }), art('BU', { anteil: 50 })] })).toBe(
      'BU',
    )
    expect(leadingGroupOf({ ha: 1, arten: [] })).toBe('OHNE')
  })
  test('areas by group add up to the area of the stands', () => {
    const rows = [
      stand('1', 1, { ha: 4, arten: [art('BU', { anteil: 75 }), art('LÄ', { anteil: 25 })] }),
      stand('1', 2, { ha: 2, arten: [art('Lärche')] }),
      stand('1', 3, { ha: 1 }),
    ]
    expect(byGroup(rows)).toEqual([
      { key: 'BU', ha: 3 },
      { key: 'LAE', ha: 3 },
      { key: 'OHNE', ha: 1 },
    ])
  })
})

describe('sums', () => {
  test('stock is the plan’s, else that of the species, else unknown', () => {
    expect(stockOf({ vorrat: 300, arten: [art('BU', { vorrat: 1 })] })).toBe(300)
    expect(
      stockOf({ vorrat: null, arten: [art('BU', { vorrat: 120 }), art('EI'), art('FI', { vorrat: 30.5 })] }),
    ).toBe(150.5)
    expect(stockOf({ vorrat: null, arten: [art('BU')] })).toBe(null)
  })
  test('per hectare over those whose stock is known', () =>
    expect(
      sumsOf([
        stand('1', 1, { ha: 4, vorrat: 1000 }),
        stand('1', 2, { ha: 6 }),
        stand('1', 3, { ha: 1, vorrat: 250 }),
      ]),
    ).toEqual({
      anzahl: 3,
      ha: 11,
      vorrat: 1250,
      stockPerHa: 250,
      withoutStock: 1,
    }))
  test('of nothing', () =>
    expect(sumsOf([])).toEqual({ anzahl: 0, ha: 0, vorrat: 0, stockPerHa: null, withoutStock: 0 }))
})
