// A server that reads an endless file, for tests that end the server.
import { closeReaders, READER_LIMITS } from './confined.ts'
import { runReader } from './run-reader.ts'

process.once('SIGTERM', () => void closeReaders().then(() => process.exit(0)))
const [mark = ''] = process.argv.slice(2)
const reading = runReader(
  new URL('./busy-reader.fixture.ts', import.meta.url),
  { mark },
  { limits: READER_LIMITS },
)
process.stdout.write('reading\n')
for await (const _message of reading);
