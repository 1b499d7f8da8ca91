// docs/scale.md says what the calculation says, and names what it assumes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ASSUMED, MEASURED, sizingFor, sizingTable } from './sizing.ts'

const TEXT = readFileSync(join(import.meta.dirname, '../docs/scale.md'), 'utf8')

test('the table in docs/scale.md is what the script prints', () => {
  expect(TEXT).toContain(`\n${sizingTable()}\n`)
})

test('each figure and each assumption has its name and its value in docs/scale.md', () => {
  const { bytesPerRow, ...measured } = MEASURED
  const { prices, ...assumed } = ASSUMED
  for (const [name, value] of Object.entries({ ...measured, ...bytesPerRow, ...assumed, ...prices }))
    expect(TEXT.replaceAll('\n', ' '), name).toContain(`\`${name}\` ${value.toLocaleString('en-US')}`)
})

test('more customers never need less, and ten times as many never more than twenty times as much', () => {
  const sizes = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000].map((customers) => sizingFor(customers))
  for (const [at, larger] of sizes.slice(1).entries())
    for (const [name, value] of Object.entries(larger)) {
      const smaller = Object.entries(sizes[at]!).find(([key]) => key === name)![1] as number
      expect(value, name).toBeGreaterThanOrEqual(smaller)
      // Two of each from 1,000 on; before, one clerk whatever the number.
      expect(value, name).toBeLessThanOrEqual(smaller * 20.1)
    }
})
