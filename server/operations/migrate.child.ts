// Started by tests as a separate process, to be killed midway: migrate.child.ts <url> <folder>
import { createOwnerConnection } from '#server/database/postgres-owner.ts'
import { silentLog } from '#server/log.ts'
import { migrate } from './migrate.ts'

const [url = '', folder = ''] = process.argv.slice(2)
const owner = await createOwnerConnection(url)
process.stdout.write('begun\n')
const { applied, nounsApplied } = await migrate(owner, { folder, log: silentLog, now: () => new Date() })
process.stdout.write(`${JSON.stringify({ applied, nounsApplied })}\n`)
await owner.close()
