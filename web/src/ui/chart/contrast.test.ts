// Bars, the line, words and the focused value of charts, and names on maps, can be distinguished from their
// ground in both schemes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contrast } from '../theme.ts'

const css = readFileSync(join(import.meta.dirname, '../tokens.css'), 'utf8')
const valueOf = (token: string, scheme: 'light' | 'dark'): string => {
  const found = new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\);`).exec(css)
  if (!found) throw new Error(`no token ${token}`)
  return found[scheme === 'light' ? 1 : 2]!
}

const PAIRS = [
  ['success', 'surface', 3],
  ['info', 'surface', 3],
  ['warning', 'surface', 3],
  ['text', 'surface', 3],
  ['line-strong', 'surface', 3],
  ['text-soft', 'surface', 4.5],
  ['on-tooltip', 'tooltip', 4.5],
  ['map-name', 'map-home', 4.5],
  ['map-name', 'map-land', 4.5],
] as const
for (const scheme of ['light', 'dark'] as const)
  for (const [front, ground, least] of PAIRS)
    test(`${front} on ${ground}, ${scheme}: at least ${least} : 1`, () =>
      expect(contrast(valueOf(front, scheme), valueOf(ground, scheme))).toBeGreaterThanOrEqual(least))
