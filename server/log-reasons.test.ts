// What the log says of an error goes through reasonForLog: PostgreSQL's messages quote what the cells of people
// contain.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Where something else is said, and why no cell can be in it. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'server/database/postgres-listener.ts': 'only listens: the message is of the connection',
  'server/database/postgres-pool.ts': 'why the database cannot be reached: the message is of the connection',
  'server/eingang/mail-job.ts': 'its `fault` is a code of ours',
  'server/files/s3-client.ts': 'its callers give it what reasonForLog leaves',
  'server/main.ts': 'before the first request: messages written for the operator, and the stack of our code',
  'server/map-service/base-map-file.ts': 'of a file of the operator',
  'server/map-service/service-tiles.ts': 'a FetchFault: of a map service',
  'server/map-service/wmts-services.ts': 'of a map service',
  'server/operations/backup-schedule.ts': 'wordsOf, which is reasonForLog for what the database says',
  'server/operations/integrity.ts': 'of amcheck, which names relations and blocks',
  'server/outputs.ts': 'of Node itself',
  'server/traces/open-traces.ts': 'the name of the error',
}

const CALL = /\blog\??\.(?:error|warn|info)\(/g
/** The text between the parenthesis at `from` and the one that closes it. */
function insideOf(text: string, from: number): string {
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0
  return text.slice(from, at - 1)
}
const callsIn = (text: string): string[] =>
  [...text.matchAll(CALL)].map(({ index, 0: { length } }) => insideOf(text, index + length))

const UNFILTERED = [
  /\bString\(/,
  /\.(?:message|stack|detail|cause)\b/,
  /\$\{(?:error|fault|reason|cause)\b/,
  /\b(?:error|fault|cause)\s*[,}]/,
  /\breason:(?!\s*reasonForLog\()/,
]
/** `text`: of the whole file, which says what a shorthand `reason` is. */
const isUnfiltered = (call: string, text: string): boolean =>
  UNFILTERED.some((pattern) => pattern.test(call)) ||
  (/\breason\s*[,}]/.test(call) && !/\breason = (?:reasonForLog|reasonOf)\(/.test(text))

const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .map((name) => `server/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture|child|d)\.ts$/.test(name))

test('a call that writes an error unfiltered is found', () => {
  for (const call of [
    `log.error('not imported', { import: id, reason: String(error).slice(0, 500) })`,
    `this.#log.warn('x', { reason: error instanceof Error ? error.message : 'y' })`,
    'options.log.error(`x: ${error}`)',
    `log.error('x', { error })`,
    `log.error('x', { reason })`,
    `log.error('x', { reason: told })`,
  ])
    expect(callsIn(call).map((inside) => isUnfiltered(inside, call))).toEqual([true])
  const good = `log.error('x', { import: id, reason: reasonForLog(error) })`
  expect(callsIn(good).map((inside) => isUnfiltered(inside, good))).toEqual([false])
})

test('every reason in the log is what reasonForLog leaves of it', () => {
  const found = files.flatMap((name) => {
    const text = readFileSync(name, 'utf8')
    return callsIn(text).some((call) => isUnfiltered(call, text)) ? [name] : []
  })
  expect(found.toSorted()).toEqual(Object.keys(ELSEWHERE))
})
