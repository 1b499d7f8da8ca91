import { describe, expect, test } from 'vitest'
import type { UploadRow } from '#domain/import.ts'
import { makeFault } from '#domain/import-faults.ts'
import { indexFaults, kindCounts, nextFaulty, shownRows } from './fault-list.ts'
import { chunksOf } from './import.data.ts'
import { faultsOfReport } from './use-import.ts'

const faults = [
  makeFault(3, 'plz', 'plz_unbekannt'),
  makeFault(5, 'name', 'name_fehlt'),
  makeFault(5, 'plz', 'plz_unbekannt'),
  makeFault(9, 'ort', 'ort_fehlt'),
]
const byRow = indexFaults(faults)
const table = { rows: Array.from({ length: 10 }, () => []), firstRow: 2 }

describe('faults', () => {
  test('kinds: errors first, then the frequent ones', () =>
    expect(kindCounts(faults)).toEqual([
      ['name_fehlt', 1],
      ['ort_fehlt', 1],
      ['plz_unbekannt', 2],
    ]))
  test.each([
    [{ onlyFaulty: false, kind: null }, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]],
    [{ onlyFaulty: true, kind: null }, [3, 5, 9]],
    [{ onlyFaulty: false, kind: 'plz_unbekannt' as const }, [3, 5]],
  ])('rows of the view %j', (view, rows) => expect(shownRows(table, byRow, view)).toEqual(rows))
  test.each([
    [null, null, 3],
    [null, 3, 5],
    [null, 9, 3],
    ['ort_fehlt' as const, null, 9],
    ['formel' as const, null, null],
  ])('the next of kind %s after row %s is %s', (kind, after, next) =>
    expect(nextFaulty(faults, kind, after)).toBe(next),
  )
  test('what the database found reads like the rest; codes of a newer server are left out', () => {
    const fault = [
      { zeile: 4, feld: 'name', art: 'kunde_vorhanden', angaben: { name: 'Forst A', client_id: 7 } },
      { zeile: 5, feld: 'name', art: 'neue_art', angaben: {} },
    ]
    expect(faultsOfReport({ fehler: fault })).toEqual([
      makeFault(4, 'name', 'kunde_vorhanden', { name: 'Forst A', client_id: 7 }),
    ])
  })
})

describe('upload in pieces', () => {
  const line = (row: number, name: string) => ({ zeile: row, werte: { name } }) as unknown as UploadRow
  test('500 rows each, all of them in order', () => {
    const lines = Array.from({ length: 1201 }, (_, at) => line(at, 'x'))
    const chunks = chunksOf(lines)
    expect(chunks.map(({ length }) => length)).toEqual([500, 500, 201])
    expect(chunks.flat()).toEqual(lines)
  })
  test('long rows in smaller pieces, none above the server’s limit', () => {
    const chunks = chunksOf(Array.from({ length: 300 }, (_, at) => line(at, 'ü'.repeat(4000))))
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks) expect(Buffer.byteLength(JSON.stringify(chunk))).toBeLessThan(1024 * 1024)
    expect(chunks.flat()).toHaveLength(300)
  })
  test('nothing is no piece', () => expect(chunksOf([])).toEqual([]))
})
