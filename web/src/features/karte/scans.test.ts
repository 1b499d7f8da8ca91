// Scans of new plans.
import { expect, test } from 'vitest'
import { addScans, dropScan, isNameless, MOST_SCANS, renameScan } from './scans.ts'

const file = (name: string) => new File(['x'], name)

test('a scan is named after its file and keeps its name when others come and go', () => {
  const two = addScans([], [file('Blatt_1.tif'), file('Blatt_2.tif')])
  const [first, second] = two
  const renamed = renameScan(two, second!.key, 'Nordteil')
  expect(renamed.map(({ name }) => name)).toEqual([first!.name, 'Nordteil'])
  const third = addScans(dropScan(renamed, first!.key), [file('.tif')])
  expect(third.map(({ name }) => name)).toEqual(['Nordteil', '.tif'])
  expect(new Set(third.map(({ key }) => key)).size).toBe(2)
})
test('there are no more at once than the limit', () => {
  const files = Array.from({ length: MOST_SCANS + 3 }, (_, at) => file(`${at}.tif`))
  expect(addScans(addScans([], files.slice(0, 2)), files.slice(2))).toHaveLength(MOST_SCANS)
})
test('a name of blanks is none', () => {
  const [scan] = addScans([], [file('a.tif')])
  expect(isNameless(scan!)).toBe(false)
  expect(isNameless({ ...scan!, name: '  ' })).toBe(true)
})
