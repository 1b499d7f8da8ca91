// Started by tests as a separate process, to be killed: `lock <folder>` holds the lock, `write <folder>`
// counts up and prints what was acknowledged. `write <folder> <host> <silence>` acts as if on another
// machine, where processes cannot check each other.
import { join } from 'node:path'
import { silentLog } from '#server/log.ts'
import { openTestDatabase } from './embedded.fixture.ts'
import { lockFolder } from './embedded-lock.ts'

const [verb, folder = '', host, silence] = process.argv.slice(2)
const say = (line: string) => process.stdout.write(`${line}\n`)

try {
  if (verb === 'lock') {
    await lockFolder(join(folder, 'pgdata.lock'), { log: silentLog, now: () => new Date() })
    say('held')
    // Exits without releasing, like a process cut off at the end of its grace period.
    process.stdin.once('end', () => process.exit(1))
    process.stdin.resume()
  } else {
    const elsewhere = host === undefined ? {} : { lock: { host, silenceMs: Number(silence) } }
    const database = await openTestDatabase({ folder, ...elsewhere })
    await database.asOwner((owner) =>
      owner.script('create table if not exists counted (id int primary key, twice int not null)'),
    )
    const last = await database.asOwner((owner) =>
      owner.query<{ n: number }>('select coalesce(max(id), 0) as n from counted'),
    )
    say('open')
    for (let id = (last.rows[0]?.n ?? 0) + 1; ; id++) {
      await database.once(
        { role: 'postgres' },
        { name: 'add', text: 'insert into counted values ($1, 2 * $1::int)', values: [id] },
      )
      say(String(id))
    }
  }
} catch (error) {
  say(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  process.exit(3)
}
