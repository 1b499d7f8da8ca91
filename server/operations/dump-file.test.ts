import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type DumpLine, readDumpLines, writeDumpFile } from './dump-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'forstkontor-dump-file-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function* linesWith(...rows: readonly string[]): AsyncGenerator<object> {
  yield { kind: 'forstkontor-dump', format: 1 }
  for (const row of rows) yield { row }
  yield { end: true }
}

test('a document of 20 MB is read in a time that grows with its size, not with the square of it', async () => {
  const path = join(folder, 'long.gz')
  const long = 'ä"\\'.repeat((20 * 2 ** 20) / 4)
  await writeDumpFile(path, linesWith('short', long, '', 'last'))
  const started = performance.now()
  const lines: DumpLine[] = []
  for await (const line of readDumpLines(path)) lines.push(line)
  expect(performance.now() - started).toBeLessThan(10_000)
  expect(lines.length).toBe(5)
  const rows = lines.flatMap((line) => ('row' in line ? [line.row] : []))
  expect(rows.map((row) => row.length)).toEqual([5, long.length, 0, 4])
  expect(rows[1] === long).toBe(true)
}, 400_000)
