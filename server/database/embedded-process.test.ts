import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { silentLog } from '#server/log.ts'
import { openTestDatabase, temporaryFolder } from './embedded.fixture.ts'
import { lockFolder } from './embedded-lock.ts'

const children: ChildProcess[] = []
const folders: string[] = []
const folderOfTest = () => {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}
afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function start(...args: string[]): { child: ChildProcess; lines: string[]; line: () => Promise<string> } {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'embedded.child.ts'), ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  children.push(child)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  reader.on('line', (line) => lines.push(line))
  return { child, lines, line: async () => lines[0] ?? ((await once(reader, 'line'))[0] as string) }
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

const options = { log: silentLog, now: () => new Date() }

test('of 24 starts at once exactly one gets the folder; after kill -9 the next one gets it at once', async () => {
  const folder = folderOfTest()
  const starts = Array.from({ length: 24 }, () => start('lock', folder))
  const said = await Promise.all(starts.map(({ line }) => line()))
  const winners = starts.filter((_, i) => said[i] === 'held')
  expect(winners.length).toBe(1)
  expect(said.filter((line) => line.startsWith('FolderInUseError: Der Datenordner')).length).toBe(23)
  await kill((winners[0] as (typeof starts)[0]).child)
  const before = performance.now()
  const lock = await lockFolder(join(folder, 'pgdata.lock'), options)
  expect(performance.now() - before).toBeLessThan(1000)
  await expect(lockFolder(join(folder, 'pgdata.lock'), options)).rejects.toThrow(
    /wird schon von einem laufenden Forstkontor benutzt \(Prozess \d+/,
  )
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

test('after kill -9 of the holder, of many starts at once still only one wins', async () => {
  const folder = folderOfTest()
  const dead = start('lock', folder)
  expect(await dead.line()).toBe('held')
  await kill(dead.child)
  const said = await Promise.all(Array.from({ length: 12 }, () => start('lock', folder).line()))
  expect(said.filter((line) => line === 'held').length).toBe(1)
})

test('whoever ends without letting go leaves the folder free, wherever the next one is', async () => {
  const folder = folderOfTest()
  const holder = start('lock', folder)
  expect(await holder.line()).toBe('held')
  const gone = once(holder.child, 'exit')
  holder.child.stdin?.end()
  await gone
  expect(holder.child.exitCode).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test('a holder on another machine counts as dead after 30 seconds of silence', async () => {
  const folder = folderOfTest()
  const holder = {
    pid: 1,
    started: null,
    host: 'elsewhere',
    boot: 'x',
    processSpace: 'y',
    since: '2026-01-01T00:00:00Z',
  }
  writeFileSync(join(folder, 'pgdata.lock.1'), JSON.stringify(holder))
  const later = (ms: number) => ({ log: silentLog, now: () => new Date(Date.now() + ms) })
  await expect(lockFolder(join(folder, 'pgdata.lock'), later(29_000))).rejects.toThrow('elsewhere')
  ;(await lockFolder(join(folder, 'pgdata.lock'), later(31_000))).release()
})

test('a folder of another version is refused with the way out', async () => {
  const folder = folderOfTest()
  mkdirSync(join(folder, 'pgdata'))
  writeFileSync(join(folder, 'pgdata/PG_VERSION'), '17\n')
  await expect(openTestDatabase({ folder })).rejects.toThrow(
    /anderen Version .*\(17, gebraucht wird 18\).*npm run dump/,
  )
  expect(readdirSync(folder)).toEqual(['pgdata'])
})

test('kill -9 in a write: nothing acknowledged is lost, nothing half-written, the next start works', async () => {
  const folder = folderOfTest()
  mkdirSync(join(folder, 'pgdata.neu-4711'))
  let acknowledged = 0
  for (const wanted of [15, 40]) {
    const writer = start('write', folder)
    expect(await writer.line()).toBe('open')
    const second = openTestDatabase({ folder })
    await expect(second).rejects.toThrow('wird schon von einem laufenden Forstkontor benutzt')
    for (let tries = 0; writer.lines.length <= wanted && tries < 600; tries++) await sleep(50)
    await kill(writer.child)
    acknowledged = Math.max(acknowledged, ...writer.lines.slice(1).map(Number))
  }
  expect(acknowledged).toBeGreaterThan(20)
  const database = await openTestDatabase({ folder })
  expect(database.unclean).toBe(true)
  const sql = `select count(*) as n, max(id) as last, count(*) filter (where twice <> 2 * id) as wrong from counted`
  const { rows } = await database.asOwner((owner) =>
    owner.query<{ n: number; last: number; wrong: number }>(sql),
  )
  await database.close()
  expect(rows[0]?.n).toBe(rows[0]?.last)
  expect(rows[0]?.wrong).toBe(0)
  // One more may have been committed than was reported.
  expect([acknowledged, acknowledged + 1]).toContain(rows[0]?.last)
  expect(readdirSync(folder).sort()).toEqual(['pgdata', 'pgdata.closed'])
}, 120_000)
