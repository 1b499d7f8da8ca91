// How `npm start` starts the server, for tests and benches that start it themselves.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}
const words = scripts.start.split(' ')
const node = words.indexOf('node')
const compileCache = 'NODE_COMPILE_CACHE'

/**
 * Its environment variables: the compile cache is shared between starts, and the memory of large answers is
 * returned to the system.
 */
export const START_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  words
    .slice(0, node)
    .filter((word) => word.includes('='))
    .map((word) => word.split('=') as [string, string])
    .map(([name, value]) => [name, name === compileCache ? resolve(ROOT, value) : value]),
)

/** Its options for Node. */
export const START_FLAGS: readonly string[] = words.slice(node + 1).filter((word) => word.startsWith('-'))
