// What becomes of the official rules where Java is missing, hangs, ends or writes nonsense: always a result, never a
// fault. The rules themselves are tried by npm run test:einvoice.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { READER_LIMITS, readersRunning } from '#server/reader/confined.ts'
import { createWorkQueue } from '#server/work-queue.ts'
import { createRules, RULES_LIMITS } from './official-rules.ts'
import { createUploadFolder } from './upload-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'rules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A program that takes the place of Java. */
function program(name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
const ANSWER =
  '{"name":"Validator Configuration X 1","date":"2026-01-31","scenario":"a","fired":1,"findings":[]}'

function check(java: string, signal = new AbortController().signal, format: 'cii' | 'pdf' = 'cii') {
  const ground = {
    work: createWorkQueue(),
    uploads: createUploadFolder(join(folder, 'uploads')),
    readers: READER_LIMITS,
    log: silentLog,
  }
  const limits = { ...RULES_LIMITS, wallMs: 600 }
  return createRules({ folder, java, limits }, ground)({ path: join(folder, 'a'), format, signal })
}

test.each<[string, string, unknown]>([
  ['there is no Java', '/gibt/es/nicht/java', { reason: 'start' }],
  ['it never answers', program('hangs', 'sleep 60'), { reason: 'zeit' }],
  ['it ends with a fault', program('fails', 'exit 1'), { reason: 'abbruch' }],
  ['it writes something else', program('odd', 'echo hello'), { reason: 'abbruch' }],
  ['it writes without end', program('endless', 'yes'), { reason: 'speicher' }],
  ['no scenario fits', program('none', `echo '${ANSWER.replace('"a"', '""')}'`), { reason: 'profil' }],
  ['all is well', program('fine', `echo '${ANSWER}'`), { version: 'X 1, 2026-01-31', findings: [] }],
])('%s', async (_what, java, result) => {
  expect(await check(java)).toEqual(result)
  expect(readersRunning()).toBe(0)
})
test('it sees no setting of the server', async () => {
  process.env['SECRET_OF_TEST'] = 'a'
  expect(await check(program('curious', `[ -z "$SECRET_OF_TEST" ] && echo '${ANSWER}'`))).toMatchObject({
    version: 'X 1, 2026-01-31',
  })
})
test('a plain PDF is not asked about', async () =>
  expect(await check('/gibt/es/nicht', new AbortController().signal, 'pdf')).toBeNull())
test('somebody who has gone ends it', async () => {
  const gone = new AbortController()
  const answer = check(program('slow', 'sleep 60'), gone.signal)
  setTimeout(() => gone.abort(new Error('gone')), 100)
  await expect(answer).rejects.toThrow('gone')
  expect(readersRunning()).toBe(0)
})
