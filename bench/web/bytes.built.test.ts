import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_LOADS, filesOf, gzipSize, readManifest } from './bytes.ts'

const ROOT = join(import.meta.dirname, '../..')
const DIST = join(ROOT, 'web/dist')

for (const [page, budget] of Object.entries(FIRST_LOADS)) {
  test(`first load of the ${page}: JS and CSS within their bounds`, () => {
    const files = filesOf(readManifest(), budget.entries)
    const [js, css] = [gzipSize(files, '.js'), gzipSize(files, '.css')]
    expect(js, 'the sign-in client is part of it').toBeGreaterThan(50_000)
    expect(js).toBeLessThanOrEqual(budget.js)
    expect(css).toBeGreaterThan(0)
    expect(css).toBeLessThanOrEqual(budget.css)
  })
}

test('what is heavy is not part of a first load', () => {
  const first = filesOf(readManifest(), FIRST_LOADS.dashboard.entries)
    // Without the hash, which may spell anything.
    .map((file) => file.replace(/-[\w-]{7,8}(\.\w+)$/, '$1'))
  expect(first.filter((file) => /calendar|xlsx|pdf|ol-|proj4|plz/i.test(file))).toEqual([])
})

test('the page has nothing inline and loads from nowhere else', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  expect(page).not.toMatch(/<script(?![^>]*\bsrc=)/)
  expect(page).not.toMatch(/<style|\son\w+=|\sstyle=/)
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//)
})

test('the typeface is asked for with the page, is small, and is the only one', () => {
  const page = readFileSync(join(DIST, 'index.html'), 'utf8')
  const [, first] = /<link rel="preload" as="font"[^>]* href="\/(assets\/[^"]+\.woff2)"/.exec(page) ?? []
  expect(first).toMatch(/-latin-wght/)
  expect(readFileSync(join(DIST, first!)).length).toBeLessThanOrEqual(40_000)
  const fonts = readdirSync(join(DIST, 'assets')).filter((file) => /\.(?:woff2?|[ot]tf)$/.test(file))
  expect(fonts.map((file) => file.replace(/-[^-]{7,8}\.woff2$/, '')).sort()).toEqual([
    'source-sans-3-latin-ext-wght-normal',
    'source-sans-3-latin-wght-normal',
  ])
})

test('every text file of the build has its compressed twins', () => {
  const files = readdirSync(join(DIST, 'assets'))
  const large = files.filter(
    (file) => /\.(?:js|css)$/.test(file) && readFileSync(join(DIST, 'assets', file)).length >= 1_200,
  )
  expect(large.length).toBeGreaterThan(3)
  for (const file of large) expect(files, file).toEqual(expect.arrayContaining([`${file}.br`, `${file}.gz`]))
})

test('running needs at most 250 packages', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>
  }
  const running = Object.entries(lock.packages).filter(
    ([path, entry]) => path !== '' && entry.dev !== true && entry.optional !== true,
  )
  expect(running.length).toBeGreaterThan(50)
  expect(running.length).toBeLessThanOrEqual(250)
})
