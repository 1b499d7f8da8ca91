// npm run dev: the screens with hot reload, and the server, which restarts when one of its files changes.
import { spawn } from 'node:child_process'
import { createServer as createSocket } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'vite'
import { SERVER_PATHS } from '../contract/server-paths.ts'

const ROOT = join(import.meta.dirname, '..')
/** The first free port, counting up from the wanted one. */
async function freePortFrom(port: number): Promise<number> {
  const isFree = await new Promise<boolean>((resolve) => {
    const socket = createSocket()
    socket.once('error', () => resolve(false))
    socket.listen(port, () => socket.close(() => resolve(true)))
  })
  return isFree ? port : freePortFrom(port + 1)
}

const apiPort = await freePortFrom(Number(process.env['PORT'] ?? 3000))
const webPort = await freePortFrom(5173)
const target = `http://localhost:${apiPort}`

const screens = await createServer({
  configFile: join(ROOT, 'web/vite.config.ts'),
  server: {
    port: webPort,
    strictPort: true,
    // The provider compares the request's origin with its own, so it must see the browser's.
    proxy: Object.fromEntries(SERVER_PATHS.map((path) => [path, { target, changeOrigin: false }])),
  },
})
await screens.listen()

const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', '--max-semi-space-size=2', 'server/main.ts'],
  {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      // A restart must not wait for the browser's open connections.
      GRACE_S: '1',
      ...process.env,
      PORT: String(apiPort),
      PUBLIC_ORIGIN: `http://localhost:${webPort}`,
    },
  },
)

let ending = false
async function end(code: number): Promise<void> {
  if (ending) return
  ending = true
  server.kill('SIGTERM')
  await screens.close()
  process.exit(code)
}
server.once('exit', (code) => void end(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))
