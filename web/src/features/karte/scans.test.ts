// Scans of new plans.
import { expect, test } from 'vitest'
import { addScans, dropScan, isNameless, MOST_SCANS, renameScan } from './scans.ts'

const file = (name: string) => new File(['x'], name)

test('a scan is named after its file and keeps its name when others come and go', () => {
  const two = addScans([], [file('Blatt_1.tif'), file('Blatt_2.tif')]).scans
  const [first, second] = two
  const renamed = renameScan(two, second!.key, 'Nordteil')
  expect(renamed.map(({ name }) => name)).toEqual([first!.name, 'Nordteil'])
  const third = addScans(dropScan(renamed, first!.key), [file('.tif')]).scans
  expect(third.map(({ name }) => name)).toEqual(['Nordteil', '.tif'])
  expect(new Set(third.map(({ key }) => key)).size).toBe(2)
})
test('there are no more at once than the limit', () => {
  const files = Array.from({ length: MOST_SCANS + 3 }, (_, at) => file(`${at}.tif`))
  expect(addScans(addScans([], files.slice(0, 2)).scans, files.slice(2)).scans).toHaveLength(MOST_SCANS)
})
test('a world file and points go with the scan of their name, whichever comes first', () => {
  const names = [
    'Blatt 1.TIF',
    'blatt 1.tfw',
    'Blatt 2.jpg.points',
    'Blatt 2.jpg',
    'Blatt 2.jgw',
    'Blatt 3.png',
    'x.wld',
  ]
  const { scans, alone } = addScans([], names.map(file))
  expect(scans.map((scan) => [scan.file.name, scan.beside?.name ?? null])).toEqual([
    ['Blatt 1.TIF', 'blatt 1.tfw'],
    ['Blatt 2.jpg', 'Blatt 2.jpg.points'],
    ['Blatt 3.png', null],
  ])
  expect(alone.map(({ name }) => name)).toEqual(['x.wld'])
  expect(addScans(scans, [file('Blatt 3.pgw')]).scans.at(-1)?.beside?.name).toBe('Blatt 3.pgw')
})
test('a name of blanks is none', () => {
  const [scan] = addScans([], [file('a.tif')]).scans
  expect(isNameless(scan!)).toBe(false)
  expect(isNameless({ ...scan!, name: '  ' })).toBe(true)
})
