import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseColour, PRESETS as PICKER } from './theme-choice.ts'
import { accentText, contrast, onAccent, parseHex, shade, THEME, themeTokens, tint, toHex } from './theme.ts'

const PRESETS = [
  ...PICKER,
  THEME,
  '#154D00',
  '#ffffff',
  '#000000',
  '#808080',
  '#777777',
  '#ffff00',
  '#0000ff',
]

describe('contrast', () => {
  // Reference values from the colour specification, computed independently.
  const KNOWN: readonly (readonly [string, string, number])[] = [
    ['#ffffff', '#6fc760', 2.1],
    ['#ffffff', '#409EFF', 2.78],
    ['#000000', '#6fc760', 10.01],
    ['#154D00', '#6fc760', 4.78],
    ['#ffffff', '#154D00', 10.03],
    ['#000000', '#ffffff', 21],
  ]
  for (const [text, ground, ratio] of KNOWN)
    test(`${text} on ${ground}`, () => expect(contrast(text, ground)).toBeCloseTo(ratio, 1))

  for (const accent of PRESETS) {
    test(`text on ${accent} reads`, () =>
      expect(contrast(onAccent(accent), accent)).toBeGreaterThanOrEqual(4.5))
    test(`text in ${accent} reads on white and on its palest tint`, () => {
      expect(contrast(accentText(accent), '#ffffff')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(accentText(accent), toHex(tint(parseHex(accent), 0.9)))).toBeGreaterThanOrEqual(4.5)
    })
  }
  test('every grey of mid brightness finds a text colour', () => {
    for (let level = 0; level < 256; level += 5) {
      const grey = toHex([level, level, level])
      expect(contrast(onAccent(grey), grey), grey).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('tints and shade', () => {
  const CLUSTERS: Readonly<Record<string, string>> = {
    '#409EFF': '53a8ff 66b1ff 79bbff 8cc5ff a0cfff b3d8ff c6e2ff d9ecff ecf5ff 3a8ee6',
    '#6fc760': '7dcd70 8cd280 9ad890 a9dda0 b7e3b0 c5e9bf d4eecf e2f4df f1f9ef 64b356',
    '#154D00': '2c5f1a 447133 5b824d 739466 8aa680 a1b899 b9cab3 d0dbcc e8ede6 134500',
  }
  for (const [accent, cluster] of Object.entries(CLUSTERS))
    test(accent, () => {
      const rgb = parseHex(accent)
      const made = [
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => toHex(tint(rgb, step / 10))),
        toHex(shade(rgb)),
      ]
      expect(made.join(' ').replaceAll('#', '')).toBe(cluster)
      const tokens = themeTokens(accent)
      expect(
        [1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => bySchemes(tokens[`--accent-${step}0`] ?? '')[0]),
      ).toEqual(made.slice(0, 9))
    })
  test('six digits always', () => expect(toHex(shade(parseHex('#11a983')))).toBe('#0f9876'))
  test('what is no colour is refused', () => expect(() => parseHex('#12345')).toThrow())
})

/** Parses `light-dark(#a, #b)`, or one colour for both schemes. */
function bySchemes(value: string): [light: string, dark: string] {
  const both = /^light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)$/.exec(value)
  return both ? [both[1]!, both[2]!] : [value, value]
}
const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
const delivered = Object.fromEntries(
  [...css.matchAll(/(--[\w-]+): (#[0-9a-f]{6}|light-dark\(#[^;]+\));/g)].map(([, name, value]) => [
    name!,
    value!,
  ]),
)

test('tokens.css holds the theme as it is computed', () => {
  for (const [name, value] of Object.entries(themeTokens(THEME))) expect(delivered[name], name).toBe(value)
})

/** Every combination of tokens that is used for text. */
const READ: readonly (readonly [text: string, ...grounds: string[]])[] = [
  [
    '--text',
    '--ground',
    '--surface',
    '--surface-sunken',
    '--surface-hover',
    '--accent-70',
    '--accent-80',
    '--accent-90',
    '--danger-ground',
  ],
  ['--text', '--warning-ground', '--success-ground', '--info-ground', '--skeleton'],
  ['--text-soft', '--ground', '--surface', '--surface-sunken', '--surface-hover', '--accent-90'],
  [
    '--accent-text',
    '--ground',
    '--surface',
    '--surface-sunken',
    '--surface-hover',
    '--accent-70',
    '--accent-80',
    '--accent-90',
  ],
  ['--on-accent', '--accent', '--accent-hover', '--accent-active'],
  ['--sidebar-text', '--sidebar', '--sidebar-raised'],
  ['--sidebar-bright', '--sidebar', '--sidebar-raised'],
  ['--sidebar-soft', '--sidebar'],
  ['--danger', '--surface', '--ground', '--surface-hover', '--danger-ground'],
  ['--on-danger', '--danger', '--danger-shade'],
  ['--warning', '--surface', '--warning-ground'],
  ['--success', '--surface', '--success-ground'],
  ['--info', '--surface', '--info-ground'],
  ['--trial', '--trial-ground'],
  ['--on-tooltip', '--tooltip'],
]
/** Borders and focus rings are not text: a contrast of 3 is enough. */
const SEEN: readonly (readonly [line: string, ...grounds: string[]])[] = [
  ['--line-strong', '--surface'],
  ['--focus', '--surface', '--ground', '--surface-hover'],
]

for (const accent of PRESETS)
  for (const [at, scheme] of ['light', 'dark'].entries())
    test(`with ${accent} all text reads in the ${scheme} scheme`, () => {
      const tokens: Record<string, string> = { ...delivered, ...themeTokens(accent) }
      const colour = (name: string) => bySchemes(tokens[name] ?? `no ${name}`)[at]!
      const faults: string[] = []
      const look = (pairs: typeof READ, least: number) => {
        for (const [text, ...grounds] of pairs)
          for (const ground of grounds) {
            const ratio = contrast(colour(text), colour(ground))
            if (ratio < least) faults.push(`${text} on ${ground}: ${ratio.toFixed(2)}`)
          }
      }
      look(READ, 4.5)
      look(SEEN, 3)
      expect(faults).toEqual([])
    })

test('the accent is seen on a dark surface, however dark it was chosen', () => {
  const surface = bySchemes(delivered['--surface']!)[1]
  for (const accent of PRESETS)
    expect(contrast(bySchemes(themeTokens(accent)['--accent']!)[1], surface), accent).toBeGreaterThanOrEqual(
      3,
    )
})

test('every colour has a value for both schemes, except what is meant to be the same in both', () => {
  const same = Object.entries(delivered).flatMap(([name, value]) =>
    value.startsWith('light-dark') ? [] : [name],
  )
  expect(
    same.every((name) => /^--(?:accent|on-accent|sidebar)/.test(name)),
    same.join(' '),
  ).toBe(true)
})

test('a typed colour is read in its usual forms and refused in any other', () => {
  expect(['#409EFF', '409eff', ' #4af '].map(parseColour)).toEqual(['#409eff', '#409eff', '#44aaff'])
  expect(['', '#12', '#12345', 'red', '#12345g', 'rgb(1,2,3)'].map(parseColour)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  )
})
