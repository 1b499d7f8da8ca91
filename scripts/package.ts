// `npm run package [-- COMMIT]`: a Debian package of this tree or of an earlier commit, in build/. It holds what the
// server runs from, its pinned Node included, and no tools, tests or sample data.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const ROOT = join(import.meta.dirname, '..')
const RECIPE = join(ROOT, 'deploy/debian')
const BUILD = join(ROOT, 'build')

/** Folders and files of the clone that the server and the operator's commands read. */
const RUN_FROM = ['build', 'contract', 'db', 'domain', 'package.json', 'scripts', 'server', 'web/dist']
/** Sample data, tests and what only they need. */
const LEFT_OUT =
  /^(?:build\/(?:probe.*|test|web-.*|.*\.(?:deb|tar))|db\/(?:test|fixtures)|.*\.(?:test|fixture|child|setup)\.tsx?)$/

interface LockEntry {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/**
 * That of package.json for the commit that made it one; later commits sort behind it, such as
 * 0.2.0+20261128150000.3189411a.
 */
export function versionOf(commit: string): string {
  const { version } = JSON.parse(git('show', `${commit}:package.json`)) as { version: string }
  const notes = git('show', `${commit}:CHANGELOG.md`)
  if (!/^## Unreleased/m.test(notes)) return version
  const made = git('show', '-s', '--format=%cd', '--date=format-local:%Y%m%d%H%M%S', commit)
  return `${version}+${made}.${git('rev-parse', '--short=8', commit)}`
}

/** Whether a path of the clone goes into the package. */
export const isPackaged = (path: string): boolean =>
  RUN_FROM.some((one) => path === one || path.startsWith(`${one}/`)) && !LEFT_OUT.test(path)

const lockOf = (from: string): Readonly<Record<string, LockEntry>> =>
  (
    JSON.parse(readFileSync(join(from, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, LockEntry>>
    }
  ).packages

/** Whether `npm ci` installs it without development packages. */
export function isProduction(from: string, path: string): boolean {
  const entry = lockOf(from)[path]
  return entry !== undefined && entry.dev !== true && entry.devOptional !== true
}

/** Copies what `npm ci` installs without development packages. */
function copyPackages(from: string, to: string): void {
  for (const [path, { dev, devOptional }] of Object.entries(lockOf(from))) {
    if (path === '' || dev === true || devOptional === true || !existsSync(join(from, path))) continue
    cpSync(join(from, path), join(to, path), {
      recursive: true,
      // Packages within it have their own entries.
      filter: (source) => !(basename(source) === 'node_modules' && source !== join(from, path)),
    })
  }
}

/** Bytes of a folder in KiB, as dpkg counts them. */
const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + Math.ceil(statSync(join(parentPath, name)).size / 1024), 0)

function write(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
}

const architecture = (): string => execFileSync('dpkg', ['--print-architecture'], { encoding: 'utf8' }).trim()

/** @param from a clone that is installed and built @returns the path of the package */
export function packageOf(from: string, version: string): string {
  const stage = join(ROOT, `.cache/package-${process.pid}`)
  rmSync(stage, { recursive: true, force: true })
  const app = join(stage, 'usr/lib/forstkontor')
  for (const path of RUN_FROM)
    cpSync(join(from, path), join(app, path), {
      recursive: true,
      filter: (source) => !LEFT_OUT.test(source.slice(from.length + 1)),
    })
  copyPackages(from, app)
  const documents = join(stage, 'usr/share/doc/forstkontor')
  for (const name of readdirSync(join(from, 'docs')).filter((one) => one.endsWith('.md')))
    cpSync(join(from, 'docs', name), join(documents, name), { recursive: true })
  for (const name of ['README.md', 'CHANGELOG.md'])
    write(join(documents, `${name}.gz`), gzipSync(readFileSync(join(from, name))))
  write(join(stage, 'usr/bin/forstkontor'), readFileSync(join(RECIPE, 'forstkontor')), 0o755)
  write(
    join(stage, 'lib/systemd/system/forstkontor.service'),
    readFileSync(join(ROOT, 'deploy/systemd/forstkontor.service'), 'utf8')
      .replace(/^#.*\n/gm, '')
      .replaceAll('/opt/forstkontor', '/usr/lib/forstkontor'),
  )
  write(join(stage, 'etc/forstkontor/env'), readFileSync(join(RECIPE, 'env')))
  const size = sizeOf(stage)
  for (const name of ['postinst', 'prerm', 'postrm'])
    write(join(stage, 'DEBIAN', name), readFileSync(join(RECIPE, name)), 0o755)
  write(join(stage, 'DEBIAN/conffiles'), '/etc/forstkontor/env\n')
  write(
    join(stage, 'DEBIAN/control'),
    readFileSync(join(RECIPE, 'control'), 'utf8')
      .replace('VERSION', version)
      .replace('ARCHITECTURE', architecture())
      .replace('SIZE', String(size)),
  )
  // Readable for the service's user, writable for nobody but root.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', join(stage, 'usr')])
  const file = join(BUILD, `forstkontor_${version}_${architecture()}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', stage, file], { stdio: 'pipe' })
  rmSync(stage, { recursive: true, force: true })
  return file
}

/** An earlier commit in its own folder, installed and built there. */
export function packageOfCommit(commit: string): string {
  const folder = join(ROOT, `.cache/package-clone-${git('rev-parse', '--short=8', commit)}`)
  if (!existsSync(folder)) execFileSync('git', ['clone', '--quiet', ROOT, folder], { stdio: 'inherit' })
  execFileSync('git', ['checkout', '--quiet', git('rev-parse', commit)], { cwd: folder, stdio: 'inherit' })
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: 'inherit' })
  return packageOf(folder, versionOf(commit))
}

if (import.meta.main) {
  const [commit] = process.argv.slice(2)
  console.log(commit === undefined ? packageOf(ROOT, versionOf('HEAD')) : packageOfCommit(commit))
}
