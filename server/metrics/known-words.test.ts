// What a server has counted before anything has happened: an alert sees the first event of each of these.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createJob } from '#server/job.ts'
import { parseOpenMetrics } from '../../test/open-metrics.ts'
import { seriesOf } from '../../db/test/watched-server.ts'
import { Backlog } from './backlog.ts'
import { KNOWN } from './known-words.ts'
import { createFigures } from './metrics.ts'

const SERVER = join(import.meta.dirname, '..')

/** Of a server to which nothing has happened yet. */
async function readNew() {
  const backlog = new Backlog({ now: () => new Date(), folders: {}, dumps: false })
  const figures = createFigures({ version: '0', engine: 'postgres' }, backlog)
  const { text } = await figures.read()
  figures.close()
  return seriesOf(parseOpenMetrics(text))
}

test.each([
  ['statements', 'outcome', KNOWN.statement],
  ['waits_in_vain', 'queue', KNOWN.wait],
  ['refused_places', 'queue', KNOWN.refusal],
  ['engine_starts', 'how', KNOWN.renewal],
  ['children_ended', 'limit', KNOWN.loss],
  ['log_lines', 'level', KNOWN.log],
  ['mails', 'kind', KNOWN.mail],
  ['children', 'program', KNOWN.child],
])('%s are counted from 0 by %s', async (name, label, words) => {
  const series = (await readNew()).filter((one) => one.name === `forstkontor_${name}_total`)
  expect(series.map(({ value }) => value)).toEqual(series.map(() => 0))
  expect(new Set(series.map(({ labels }) => labels[label]))).toEqual(new Set(words))
  if (label === 'kind' || label === 'program') expect(series).toHaveLength(2 * words.length)
})

test('rounds of a job are counted from 0 once it has begun, with its interval if it has one', async () => {
  const begun = (name: string, everyMs: number | (() => number), usualMs?: number) => {
    const nothing = () => Promise.resolve()
    const job = createJob({ name, everyMs, usualMs, round: nothing, onFault: () => undefined })
    job.start()
    return job.stop()
  }
  await begun('often', 30_000)
  await begun('at night', () => 3_000, 86_400_000)
  await begun('once', Number.POSITIVE_INFINITY)
  const series = await readNew()
  const of = (name: string) =>
    series
      .filter(
        (one) => one.name === `forstkontor_${name}` && /^(?:often|at night|once)$/.test(one.labels['task']!),
      )
      .map(({ labels, value }) => [labels['task'], labels['outcome'], value])
  expect(of('job_interval_seconds')).toEqual([
    ['often', undefined, 30],
    ['at night', undefined, 86_400],
  ])
  expect(of('job_rounds_total')).toEqual(
    ['often', 'at night', 'once'].flatMap((task) => ['ok', 'failed'].map((outcome) => [task, outcome, 0])),
  )
})

test('the words are those of the source', () => {
  const code = globSync('**/*.ts', { cwd: SERVER })
    .filter((file) => !/\.(?:test|fixture|child|cases)\.ts$/.test(file))
    .map((file) => readFileSync(join(SERVER, file), 'utf8'))
  const found = (pattern: RegExp, of: readonly string[] = code) =>
    [...new Set(of.flatMap((text) => [...text.matchAll(pattern)].map(([, word]) => word!)))].toSorted()
  const confined = code.filter((text) =>
    /startConfined|runReader|readForeign|renderer-worker|seeMail/.test(text),
  )
  expect(found(/new URL\('\.\/([\w-]+)\.ts'/g, confined)).toEqual(KNOWN.child)
  expect(found(/note\('renewal', unclean \? '(\w+)'/g)).toEqual(['recovered'])
  expect(found(/kind: 'mail', name: '(\w+)'/g)).toEqual([...KNOWN.mail].toSorted())
  expect(found(/kind: 'wait', name: '(\w+)'/g)).toEqual(['database'])
  expect(found(/note\('refusal', '(\w+)'/g)).toEqual(['database'])
  expect(['database', ...found(/createLane\('(\w+)'/g)]).toEqual(KNOWN.refusal)
})
