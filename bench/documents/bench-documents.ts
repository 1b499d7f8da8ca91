// npm run bench:documents: what a document costs in time and memory, and the other gates of the bookkeeping.
// Compare CPU time; wall-clock time also shows what else the machine is doing. DOCUMENTS=1000 compares fewer
// random documents, GATES=off skips the test suites.
import { createHash } from 'node:crypto'
import { loadavg } from 'node:os'
import type { Beleg } from '#domain/beleg.ts'
import { threeRates, manyPositions } from '../../server/documents/beleg.fixture.ts'
import { BARE, pdfFile, xmlOf } from '../../server/documents/document.ts'
import { createRenderer } from '../../server/documents/renderer.ts'
import { SHORT } from '../extent.ts'
import { atLeast, atMost, type Figure, median, report, shown } from '../figures.ts'
import { treeCpuMs, treeRss } from '../process-tree.ts'
import { issueAtOnce } from './issues.ts'
import { openOffice } from './office.ts'
import { previewP95 } from './preview.ts'
import { type Counts, runSuite } from './suites.ts'
import { compareSums } from './sums.ts'

const MB = 2 ** 20
const WARM_UP = SHORT ? 1 : 10
const TIMED = SHORT ? 3 : 200
const ALL = SHORT ? 6 : 1_000

/** A different number, text and amount each time, so nothing can be cached from the previous one. */
const hybrid = (index: number): Beleg => {
  const beleg = manyPositions(25)
  return {
    ...beleg,
    nummer: `RE-2026-${String(index).padStart(5, '0')}`,
    positionen: beleg.positionen.map((position) => ({
      ...position,
      bez: `${position.bez}, Auftrag ${index}`,
    })),
  }
}

const renderer = createRenderer()
const make = async (beleg: Beleg): Promise<string> => (await pdfFile(renderer, beleg, BARE)).sha256

for (let index = 0; index < WARM_UP; index++) await make(hybrid(index))

const walls: number[] = []
let peakFirst = 0
let peakLast = 0
let busy = 0
const cpu = treeCpuMs()
let cpuPerDocument = Number.NaN
for (let index = 0; index < ALL; index++) {
  const start = performance.now()
  await make(hybrid(index + WARM_UP))
  const wall = performance.now() - start
  if (index < TIMED) {
    walls.push(wall)
    busy += wall
  }
  if (index === TIMED - 1) cpuPerDocument = (treeCpuMs() - cpu) / TIMED
  const rss = treeRss()
  if (index < ALL / 2) peakFirst = Math.max(peakFirst, rss)
  else peakLast = Math.max(peakLast, rss)
}

const long: number[] = []
for (let index = 0; index < (SHORT ? 1 : 5); index++) {
  const beleg = { ...manyPositions(200), nummer: `RE-LANG-${index}` }
  const start = performance.now()
  await make(beleg)
  long.push(performance.now() - start)
}

const xmls: number[] = []
for (let index = 0; index < (SHORT ? 10 : 200); index++) {
  const beleg = hybrid(index)
  const start = performance.now()
  xmlOf(beleg)
  xmls.push(performance.now() - start)
}

const hashes = new Set([await make(threeRates()), await make(threeRates())])
await renderer.close()
const again = createRenderer()
hashes.add(
  createHash('sha256')
    .update((await pdfFile(again, threeRates(), BARE)).inhalt)
    .digest('hex'),
)
await again.close()

const office = await openOffice()
const preview = await previewP95(office)
const issues = await issueAtOnce(office)
const differences = await compareSums(
  office.owner,
  Number(process.env['DOCUMENTS'] ?? (SHORT ? 100 : 100_000)),
  SHORT ? 3 : 200,
)
await office.close()

/** Gates checked by tests: how many of the tests pass, and how many fail. */
function gates(): Figure[] {
  // A short run is itself started by a test.
  if (SHORT || process.env['GATES'] === 'off') return []
  const unit = ['--project', 'unit']
  const held = (what: string, least: number, { passed, failed }: Counts): Figure[] => [
    atLeast(`${what}: tests`, least, passed, ''),
    atMost(`${what}: failed`, 0, failed, ''),
  ]
  const official = runSuite(['--config', 'test/einvoice/vitest.config.ts'])
  return [
    ...held('official rules (CEN, XRechnung, ZUGFeRD, veraPDF, Mustang) without a fault', 30, official),
    atMost('official rules: not run, Java or Maven is missing', 0, official.skipped, ''),
    ...held('seeded defects found by our own checks', 100, runSuite([...unit, 'domain/beleg-check.test.ts'])),
    ...held(
      'fonts, metadata and attachment of the PDF',
      30,
      runSuite([...unit, 'server/documents/typesetter.test.ts']),
    ),
    ...held(
      'attacks on an issued invoice refused and written down',
      70,
      runSuite(['--project', 'sql', 'db/test/attack.sql.test.ts']),
    ),
  ]
}

const p95 = walls.toSorted((a, b) => a - b)[Math.floor(walls.length * 0.95)]!
report('documents', [
  atMost('hybrid of 25 lines, two pages: processor time', 40, cpuPerDocument, 'ms'),
  atMost('hybrid of 25 lines: 95 of 100 within', 150, p95, 'ms'),
  shown('hybrid of 25 lines: median', median(walls), 'ms'),
  atLeast('hybrids in a second, one after the other', 20, (1000 * TIMED) / busy, '/s'),
  atMost('XML alone', 2, median(xmls), 'ms'),
  atMost('200 lines', 300, median(long), 'ms'),
  atMost(
    'memory of the process that sets, with this one, while 1,000 documents are made',
    250,
    Math.max(peakFirst, peakLast) / MB,
    'MB',
  ),
  atMost('growth of that over the last 500', 10, Math.max(0, (peakLast - peakFirst) / MB), 'MB'),
  atMost('different files of one snapshot', 1, hashes.size, ''),
  atMost('preview of a draft of 25 lines, over HTTP: 95 of 100 within', 500, preview, 'ms'),
  atMost(`documents by chance (${differences.documents}): SQL differs`, 0, differences.sql, ''),
  atMost(`documents by chance (${differences.documents}): XML differs`, 0, differences.xml, ''),
  atMost(`documents by chance (${differences.papers}): PDF text differs`, 0, differences.paper, ''),
  shown('50 parallel issues: 95 of 100 within', issues.p95, 'ms'),
  atMost('50 parallel issues: gaps', 0, issues.gaps, ''),
  atMost('50 parallel issues: numbers twice', 0, issues.doubles, ''),
  atMost('50 parallel issues: days out of order', 0, issues.unordered, ''),
  atMost('50 parallel issues: deadlocks and other refusals', 0, issues.deadlocks, ''),
  atMost('50 parallel issues: audit chain broken', 0, issues.chain, ''),
  ...gates(),
  shown('load average of the machine', loadavg()[0] ?? 0, ''),
])
