import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accentText, contrast, onAccent, parseHex, shade, THEME, themeTokens, tint, toHex } from './theme.ts'

const PRESETS = [
  '#409EFF',
  '#1890ff',
  '#304156',
  '#212121',
  '#11a983',
  '#13c2c2',
  '#6959CD',
  '#f5222d',
  THEME,
  '#154D00',
  '#ffffff',
  '#000000',
  '#808080',
  '#777777',
]

describe('contrast', () => {
  // Figures of the colour note: computed elsewhere.
  const KNOWN: readonly (readonly [string, string, number])[] = [
    ['#ffffff', '#6fc760', 2.1],
    ['#ffffff', '#409EFF', 2.78],
    ['#000000', '#6fc760', 10.01],
    ['#154D00', '#6fc760', 4.78],
    ['#ffffff', '#154D00', 10.03],
    ['#000000', '#ffffff', 21],
  ]
  for (const [text, ground, ratio] of KNOWN) test(`${text} on ${ground}`, () => expect(contrast(text, ground)).toBeCloseTo(ratio, 1))

  for (const accent of PRESETS) {
    test(`text on ${accent} reads`, () => expect(contrast(onAccent(accent), accent)).toBeGreaterThanOrEqual(4.5))
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
      const made = [...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((step) => toHex(tint(rgb, step / 10))), toHex(shade(rgb))]
      expect(made.join(' ').replaceAll('#', '')).toBe(cluster)
    })
  test('six digits always', () => expect(toHex(shade(parseHex('#11a983')))).toBe('#0f9876'))
  test('what is no colour is refused', () => expect(() => parseHex('#12345')).toThrow())
})

describe('tokens.css', () => {
  const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')
  const token = (name: string) => new RegExp(`${name}: (#[0-9a-f]{6});`).exec(css)?.[1] ?? ''

  test('holds the theme as it is computed', () => {
    for (const [name, value] of Object.entries(themeTokens(THEME))) if (css.includes(`${name}:`)) expect(token(name), name).toBe(value)
    expect(token('--accent')).toBe(THEME)
  })
  const READ: readonly (readonly [text: string, ground: string])[] = [
    ['--text', '--ground'],
    ['--text-soft', '--ground'],
    ['--text-soft', '--surface-sunken'],
    ['--text-soft', '--surface-hover'],
    ['--accent-text', '--surface-hover'],
    ['--accent-text', '--accent-70'],
    ['--accent-text', '--accent-80'],
    ['--on-accent', '--accent-20'],
    ['--on-accent', '--accent-50'],
    ['--sidebar-text', '--sidebar'],
    ['--sidebar-text', '--sidebar-raised'],
    ['--sidebar-soft', '--sidebar'],
    ['--danger', '--surface'],
    ['--danger', '--danger-ground'],
    ['--warning', '--warning-ground'],
    ['--success', '--success-ground'],
    ['--info', '--info-ground'],
    ['--text', '--accent-80'],
  ]
  for (const [text, ground] of READ)
    test(`${text} on ${ground} reads`, () => expect(contrast(token(text), token(ground))).toBeGreaterThanOrEqual(4.5))
  test('frames of inputs are seen', () => expect(contrast(token('--line-strong'), token('--surface'))).toBeGreaterThanOrEqual(3))
  test('the focus ring is seen', () => {
    expect(contrast(token('--focus'), token('--surface'))).toBeGreaterThanOrEqual(3)
    expect(contrast(token('--focus'), token('--ground'))).toBeGreaterThanOrEqual(3)
  })
})
