// A package is complete if everything that its programs import is in it.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importsOf } from '../test/source-imports.ts'
import { isPackaged, isProduction } from './package.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** What starts in its own process, by the package's unit and command and by the server itself. */
const STARTS = [
  'server/main.ts',
  'scripts/as-service.ts',
  'scripts/operate.ts',
  ...readdirSync(join(ROOT, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /-(?:worker|process|child|run)\.ts$/.test(name))
    .map((name) => `server/${name}`),
]

function reached(): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const waiting = [...STARTS]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    if (!/\.m?[jt]s$/.test(path)) continue
    for (const { to, own, typeOnly } of importsOf({ path, text: read(path) })) {
      if (typeOnly) continue
      if (own) waiting.push(to)
      else if (!to.startsWith('node:'))
        packages.add(
          to
            .split('/')
            .slice(0, to.startsWith('@') ? 2 : 1)
            .join('/'),
        )
    }
  }
  return { files, packages }
}

test('everything that the server and the commands import is in the package', () => {
  const { files, packages } = reached()
  expect(files.size).toBeGreaterThan(300)
  expect([...files].filter((path) => !isPackaged(path))).toEqual([])
  expect(packages.size).toBeGreaterThan(30)
  expect([...packages].filter((name) => !isProduction(ROOT, `node_modules/${name}`))).toEqual([])
})

test('tests and sample data are not', () => {
  const all = [
    'db/test/attack.sql.test.ts',
    'server/listener.test.ts',
    'build/probe.gz',
    'build/test',
    'build/forstkontor_0.2.0.oci.tar',
    'e2e/app.ts',
  ]
  expect(all.filter(isPackaged)).toEqual([])
  expect(['build/datenbank.gz', 'db/order.txt', 'web/dist/index.html'].every(isPackaged)).toBe(true)
})

test('the scripts of the package are scripts, and its command knows the operator’s', () => {
  for (const name of ['postinst', 'prerm', 'postrm', 'forstkontor'])
    execFileSync('sh', ['-n', join(ROOT, 'deploy/debian', name)])
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const commands = Object.entries(scripts).flatMap(([name, line]) =>
    /operate\.ts|verify-archive/.test(line) && name !== 'demo-password' ? [name] : [],
  )
  const known = /commands='([^']+)'/.exec(read('deploy/debian/forstkontor'))?.[1]?.split(' ')
  expect(known?.toSorted()).toEqual(commands.toSorted())
  expect(existsSync(join(ROOT, 'scripts/operate.ts'))).toBe(true)
})
