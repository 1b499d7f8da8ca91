// The page about looks is true: it names every token of the interface and no other, and sizes of text come
// from its scale alone.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const page = read('docs/design.md')
const css = read('web/src/ui/tokens.css')
const sheets = readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => ({ name, text: read(`web/src/${name}`) }))

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()
const namesIn = (text: string, pattern: RegExp) =>
  sorted([...text.matchAll(pattern)].map(([, name]) => name!))
const DECLARED = namesIn(css, /^\s+(--[\w-]+):/gm)

test('the page names the tokens of the interface, all and no other', () => {
  expect(DECLARED.length).toBeGreaterThan(60)
  expect(namesIn(page, /`(--[\w-]+)`/g)).toEqual(DECLARED)
})

test('its sizes are those of the tokens', () => {
  const sizes = Object.fromEntries(
    [...css.matchAll(/(--size-\w+): ([\d.]+)rem/g)].map(([, n, v]) => [n, v]).reverse(),
  )
  for (const [, name, pixels] of page.matchAll(/^\| `(--size-\w+)` \| (\d+) \|/gm))
    expect(Number(sizes[name!]) * 16, name).toBe(Number(pixels))
  for (const [, name, pixels] of page.matchAll(/^\| `(--gap-\d)` \| (\d+) \|/gm))
    expect(css, name).toContain(`${name}: ${pixels}px;`)
})

test('every token is used', () => {
  const used = sheets.map(({ text }) => text).join('\n') + read('web/src/karte/ol-ground.ts')
  const inCode = readdirSync(join(ROOT, 'web/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('features/parts/'))
    .map((name) => read(`web/src/${name}`))
    .join('\n')
  const unused = DECLARED.filter(
    (name) =>
      !used.includes(`var(${name})`) &&
      !inCode.includes(name) &&
      // Built from its parts, as the names of maps and the tints are.
      !/^--(?:map|accent)-/.test(name),
  )
  expect(unused).toEqual([])
})

test('sizes and weights of text come from the scale', () => {
  const strange = sheets.flatMap(({ name, text }) =>
    // Print has its own points; charts and outlines are drawn in pixels.
    /print\.css|chart\.css|outline-karte\.css|tokens\.css/.test(name)
      ? []
      : [...text.matchAll(/font-(size|weight): ([^;]+);/g)]
          .filter(([, kind, value]) =>
            kind === 'size'
              ? !/^(?:var\(--size-(?:xs|s|m|l|xl)\)|inherit|100%|0)$/.test(value!)
              : !/^(?:400|550|600|650|inherit|200 900)$/.test(value!),
          )
          .map(([declared]) => `${name}: ${declared}`),
  )
  expect(strange).toEqual([])
})
