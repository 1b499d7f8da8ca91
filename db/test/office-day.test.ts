// The office's day begins at the midnight of Berlin: PostgreSQL's own day is that of its time zone, usually UTC, and
// would be yesterday for an hour or two of each night.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FOLDER = join(import.meta.dirname, '../nouns')

test('rules ask for the day of the office', () => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql'))
  expect(files.length).toBeGreaterThan(40)
  const others = files.flatMap((file) =>
    readFileSync(join(FOLDER, file), 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        /\bcurrent_date\b|\bnow\(\)::date|\b(?:local|current_)timestamp\b/i.test(line.replace(/--.*/, ''))
          ? [`${file}:${at + 1}`]
          : [],
      ),
  )
  expect(others).toEqual([])
})
