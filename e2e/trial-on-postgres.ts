// The trial as `npm start` starts it, but with its sample data in the PostgreSQL named on the command line,
// which is ready in a fraction of the time. Journeys about the embedded engine, a first start or an existing
// folder start server/main.ts.
import { readProcessConfig } from '../server/config.ts'
import { openOutputs } from '../server/outputs.ts'
import { startServer } from '../server/start.ts'

const [DATABASE_URL, DATABASE_OWNER_URL] = process.argv.slice(2)
const config = readProcessConfig()
const { log, say } = openOutputs(config)
const server = await startServer({
  config: { ...config, DATABASE_URL, DATABASE_OWNER_URL },
  log,
  now: () => new Date(),
})
process.once('SIGTERM', () => void server.stop().finally(() => process.exit(0)))
say(server.welcome)
