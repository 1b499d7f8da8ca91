// A process that was frozen for so long that another took its folder confirms nothing more, changes nothing,
// and exits.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { openTestDatabase, temporaryFolder } from './embedded.fixture.ts'
import { lockFolder, stillHeld } from './embedded-lock.ts'
import { VOLL } from '../../test/extent.ts'

const SILENCE_MS = 4_000

const children: ChildProcess[] = []
const folders: string[] = []
afterEach(() => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const folderOfTest = () => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

/** A process that counts up in the database and prints each number once it is confirmed. */
function writer(folder: string, host: string) {
  const file = join(import.meta.dirname, 'embedded.child.ts')
  const child = spawn(process.execPath, [file, 'write', folder, host, String(SILENCE_MS)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let [out, complaint] = ['', '']
  child.stdout.on('data', (text) => (out += String(text)))
  child.stderr.on('data', (text) => (complaint += String(text)))
  return {
    child,
    exited: once(child, 'exit'),
    said: () => out.split('\n').slice(0, -1),
    complaint: () => complaint,
    async until(enough: (lines: string[]) => boolean) {
      for (let tries = 0; !enough(out.split('\n')); tries++) {
        if (tries > 1800) throw new Error(`it only said ${out} ${complaint}`)
        await sleep(50)
      }
    },
  }
}

test.skipIf(process.platform !== 'linux')(
  'frozen at work, taken over, woken: it confirms nothing and ends; the other has all confirmed',
  async () => {
    for (const after of VOLL ? [7, 60, 133] : [20]) {
      const folder = folderOfTest()
      const first = writer(folder, 'elsewhere')
      await first.until((lines) => lines.length > after)
      first.child.kill('SIGSTOP')
      await sleep(SILENCE_MS + 500)
      const second = writer(folder, 'here')
      await second.until((lines) => lines[0] === 'open')
      await second.until((lines) => lines.length > 30)
      // It continues where the first was stopped.
      const continued = Number(second.said()[1])
      const before = first.said().length
      first.child.kill('SIGCONT')
      const [code] = (await first.exited) as [number | null]
      expect(code).toBe(1)
      expect(first.complaint()).toContain('Forstkontor beendet sich: Der Datenordner')
      expect(first.complaint()).toContain('Bitte nur eines von beiden laufen lassen.')
      // Nothing more is confirmed; one line may already have been on its way out.
      expect(first.said().length - before).toBeLessThanOrEqual(1)
      expect(Number(first.said().at(-1))).toBeLessThan(continued)
      expect(continued - Number(first.said().at(-1))).toBeLessThanOrEqual(2)
      const secondSaid = second.said()
      await second.until((lines) => lines.length > secondSaid.length + 20)
      second.child.kill('SIGKILL')
      await second.exited
      const database = await openTestDatabase({ folder, lock: { host: 'here' } })
      const rows = await database.asOwner(async (owner) => {
        await owner.script(
          `create extension if not exists amcheck; select bt_index_check('counted_pkey', true)`,
        )
        const sql = `select count(*) as n, max(id) as last, count(*) filter (where twice <> 2 * id) as wrong
          from counted`
        return (await owner.query<{ n: number; last: number; wrong: number }>(sql)).rows
      })
      await database.close()
      const last = Number(second.said().at(-1))
      expect(rows[0]).toMatchObject({ n: rows[0]?.last, wrong: 0 })
      expect([last, last + 1]).toContain(rows[0]?.last)
      expect(existsSync(join(folder, 'pgdata.alt'))).toBe(false)
    }
  },
  300_000,
)

test('who finds the lock in other hands while asleep confirms nothing, whatever it does', {
  timeout: 120_000,
}, async () => {
  const folder = folderOfTest()
  let told = ''
  const database = await openTestDatabase({ folder, onLockLost: (message) => (told += message) })
  await database.asOwner((owner) => owner.script('create table counted (id int primary key)'))
  const [lock] = readdirSync(folder).filter((name) => name.startsWith('pgdata.lock'))
  // As a process that takes over does.
  writeFileSync(join(folder, 'pgdata.lock.99'), readFileSync(join(folder, lock as string)))
  rmSync(join(folder, lock as string))
  const work = [
    database.once({ role: 'postgres' }, { text: 'insert into counted values (1)' }),
    database.transaction({ role: 'postgres' }, (tx) => tx.query({ text: 'insert into counted values (2)' })),
    database.once({ role: 'postgres', readOnly: true }, { text: 'select 1' }),
    database.asOwner((owner) => owner.script('insert into counted values (3)')),
  ]
  const ended = await Promise.allSettled(work)
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(told).toContain('wurde von einem anderen Forstkontor übernommen')
  await expect(database.once({ role: 'postgres' }, { text: 'select 1' })).rejects.toThrow('closed')
  await database.close()
  // The other process's lock is left alone.
  expect(readdirSync(folder)).toContain('pgdata.lock.99')
  rmSync(join(folder, 'pgdata.lock.99'))
  const next = await openTestDatabase({ folder })
  expect((await next.asOwner((owner) => owner.query('select * from counted'))).rows).toEqual([])
  await next.close()
})

test('a lock that was taken over is not released, nor renewed, by who lost it', async () => {
  const folder = folderOfTest()
  const path = join(folder, 'pgdata.lock')
  const now = () => new Date()
  const first = await lockFolder(path, { log: silentLog, now, host: 'elsewhere' })
  expect(first.fromSilent).toBe(false)
  const later = () => new Date(Date.now() + 60_000)
  const second = await lockFolder(path, { log: silentLog, now: later })
  expect([second.fromSilent, stillHeld(first.proof), stillHeld(second.proof)]).toEqual([true, false, true])
  second.release()
  // A third lock reuses the file name.
  const third = await lockFolder(path, { log: silentLog, now })
  expect(third.proof.file).toBe(first.proof.file)
  first.release()
  expect([stillHeld(first.proof), stillHeld(third.proof)]).toEqual([false, true])
  third.release()
  expect(readdirSync(folder)).toEqual([])
})
