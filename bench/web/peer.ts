// The peer of bench:web: the same list in react-admin, installed and built on first use, served with the
// compression that a careful operator would switch on.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'

const FOLDER = join(import.meta.dirname, '../peer')
const DIST = join(FOLDER, 'dist')

function run(command: string, args: readonly string[]): void {
  const { status } = spawnSync(command, args, { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed in bench/peer`)
}

/** False if its packages cannot be fetched. */
export async function buildPeer(): Promise<boolean> {
  if (!existsSync(join(FOLDER, 'node_modules/react-admin'))) {
    try {
      run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'])
    } catch {
      return false
    }
  }
  await build({
    root: FOLDER,
    configFile: false,
    logLevel: 'error',
    build: { outDir: DIST, emptyOutDir: true },
  })
  return true
}

/** All its JavaScript, in gzipped bytes. */
export const peerBytes = (): number =>
  readdirSync(join(DIST, 'assets'))
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(DIST, 'assets', file)), { level: 9 }).length, 0)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

/** Serves the build and forwards data API calls to the application. */
export async function servePeer(origin: string): Promise<{ readonly origin: string; close(): void }> {
  const compressed = new Map<string, Buffer>()
  const server: Server = createServer((incoming, answer) => {
    const path = (incoming.url ?? '/').split('?')[0]!
    if (path.startsWith('/rest/')) {
      const onward = request(
        origin + incoming.url,
        { method: incoming.method, headers: { ...incoming.headers, host: new URL(origin).host } },
        (given) => {
          answer.writeHead(given.statusCode ?? 502, given.headers)
          given.pipe(answer)
        },
      )
      onward.on('error', () => answer.writeHead(502).end())
      incoming.pipe(onward)
      return
    }
    const wanted = join(DIST, path)
    const file =
      path !== '/' && wanted.startsWith(DIST) && existsSync(wanted) ? wanted : join(DIST, 'index.html')
    const body = compressed.get(file) ?? brotliCompressSync(readFileSync(file))
    compressed.set(file, body)
    answer
      .writeHead(200, {
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
        'content-encoding': 'br',
      })
      .end(body)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
