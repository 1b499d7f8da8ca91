// A day that leaves a list as text is no day in Excel: it can neither be sorted with others nor calculated with.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCES = join(import.meta.dirname, '..')
const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|fixture)\./.test(name))
  .map((name) => ({ name, source: readFileSync(join(SOURCES, name), 'utf8') }))

/** Columns that the list itself shows as a day or a moment, or that are named as one. */
const isDay = (source: string, column: string): boolean =>
  /(?:_am|datum|tag)$/.test(column) || new RegExp(`<DateText value=\\{(?:\\w+\\.)?${column}\\}`).test(source)

/** Exports that pass a column on as it came from the server. */
const asItCame = (source: string): string[] =>
  Array.from(
    source.matchAll(/\bexported: \((?:\{[^}]*\}|\w+(?:: \w+)?)\) =>\s*(?:\w+\.)?(\w+)(?= *[,}\n])/g),
    ([, name]) => name!,
  )

test('no list exports a day or a moment as text', () => {
  expect(files.flatMap(({ source }) => asItCame(source)).length).toBeGreaterThan(100)
  expect(
    files.flatMap(({ name, source }) =>
      asItCame(source)
        .filter((column) => isDay(source, column))
        .map((column) => `${name}: ${column}`),
    ),
  ).toEqual([])
})

const MOMENT_AS_DAY = /=> day\((?:\w+\.)?((?:angelegt|geaendert|eingegangen|erstellt)_am)\)/g

test('no moment loses its time of day', () => {
  const cut = files.flatMap(({ name, source }) =>
    Array.from(source.matchAll(MOMENT_AS_DAY), ([, column]) => `${name}: ${column}`),
  )
  expect(cut).toEqual([])
})
