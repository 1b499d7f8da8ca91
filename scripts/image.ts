// `npm run image [-- COMMIT]`: an OCI image of this tree or of an earlier commit, in build/. No image is fetched: its
// system is made by mmdebstrap from Debian's packages, its program is that of the Debian package. Needs Debian,
// mmdebstrap, buildah, and root or user namespaces.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { packageOf, packageOfCommit, versionOf } from './package.ts'

const ROOT = join(import.meta.dirname, '..')
const BUILD = join(ROOT, 'build')
const RECIPE = join(ROOT, 'deploy/image')
/** Kept: it takes minutes and changes only with Debian. */
const SYSTEM = join(ROOT, '.cache/image-system.tar')
const MOST_AGE_MS = 7 * 86_400_000

const PROGRAM = '/usr/lib/forstkontor'
const DATA = '/var/lib/forstkontor'
const CACHE = '/var/cache/forstkontor'
/** Of no person and no service of the host. */
export const USER = 10_001
/** A library of the pinned Node, roots of trust, and a first process that passes signals on and reaps. */
const PACKAGES = 'libstdc++6,ca-certificates,tini'

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<'start', string>
}
const words = scripts.start.split(' ')
const node = words.indexOf('node')

/** As `npm start` starts it. */
const COMMAND = [`${PROGRAM}/node_modules/node/bin/node`, ...words.slice(node + 1)]
const ENVIRONMENT = [
  ...words.slice(0, node).filter((word) => word.includes('=') && !word.startsWith('NODE_COMPILE_CACHE')),
  `NODE_COMPILE_CACHE=${CACHE}/compile`,
  'NODE_ENV=production',
  `DATA_DIR=${DATA}`,
  'LOG_FORMAT=json',
  `PATH=${PROGRAM}/node_modules/node/bin:/usr/local/bin:/usr/bin:/bin`,
]

/** What keeps an image from being made on this machine; null if nothing does. */
export function whatIsMissing(): string | null {
  for (const [tool, word] of [
    ['mmdebstrap', '--version'],
    ['buildah', '--version'],
    ['dpkg-deb', '--version'],
  ] as const)
    if (spawnSync(tool, [word]).status !== 0) return `${tool} is not installed`
  if (process.getuid?.() !== 0 && spawnSync('unshare', ['--user', '--map-root-user', 'true']).status !== 0)
    return 'neither root nor user namespaces'
  return null
}

const run = (command: string, ...args: readonly string[]): string =>
  execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()

/** The system, with the user and the folders that the program writes to. */
function makeSystem(): void {
  // Debian's fixes of the last week belong into each image.
  if (existsSync(SYSTEM) && Date.now() - statSync(SYSTEM).mtimeMs < MOST_AGE_MS) return
  mkdirSync(join(SYSTEM, '..'), { recursive: true })
  const accounts = `printf '%s\\n' 'forstkontor:x:${USER}:${USER}::${DATA}:/usr/sbin/nologin' >> "$1/etc/passwd"
    printf '%s\\n' 'forstkontor:x:${USER}:' >> "$1/etc/group"`
  const folders = `install -d -o ${USER} -g ${USER} -m 0700 "$1${DATA}" "$1${CACHE}"`
  const lean = 'rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/* "$1"/var/log/* "$1"/usr/share/doc/*'
  run(
    'mmdebstrap',
    '--quiet',
    '--variant=minbase',
    `--include=${PACKAGES}`,
    ...[accounts, folders, lean].map((hook) => `--customize-hook=${hook}`),
    'bookworm',
    `${SYSTEM}.part`,
    '--format=tar',
  )
  renameSync(`${SYSTEM}.part`, SYSTEM)
}

const many = (option: string, values: readonly string[]): string[] =>
  values.flatMap((value) => [option, value])

/** @param file the Debian package @returns the image, an archive in the layout of OCI */
export function imageOf(file: string, version: string): string {
  makeSystem()
  const folder = mkdtempSync(join(ROOT, '.cache/image-'))
  const builder = (...args: readonly string[]): string =>
    run(
      'buildah',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'vfs',
      ...args,
    )
  try {
    const program = join(folder, 'program')
    run('dpkg-deb', '--extract', file, program)
    // Settings come from the environment and processes are kept by the engine: no unit, no file of settings.
    rmSync(join(program, 'lib'), { recursive: true })
    rmSync(join(program, 'etc'), { recursive: true })
    rmSync(join(program, 'usr/bin'), { recursive: true })
    run('install', '-D', '-m', '0755', join(RECIPE, 'forstkontor'), join(program, 'usr/bin/forstkontor'))
    const container = builder('from', '--name', 'forstkontor', 'scratch')
    builder('add', '--quiet', container, SYSTEM, '/')
    builder('add', '--quiet', '--chown', '0:0', container, program, '/')
    builder('config', '--user', `${USER}:${USER}`, '--workingdir', PROGRAM, container)
    builder('config', '--port', '3000', '--volume', DATA, '--stop-signal', 'SIGTERM', container)
    // Passes signals on and takes away what has ended.
    builder('config', '--entrypoint', JSON.stringify(['/usr/bin/tini', '--']), container)
    builder(
      'config',
      '--cmd',
      COMMAND.join(' '),
      ...many('--env', ENVIRONMENT),
      ...many('--label', [
        'org.opencontainers.image.title=Forstkontor',
        `org.opencontainers.image.version=${version}`,
        'org.opencontainers.image.licenses=UNLICENSED',
      ]),
      container,
    )
    const image = join(BUILD, `forstkontor_${version}.oci.tar`)
    rmSync(image, { force: true })
    builder(
      'commit',
      '--quiet',
      '--format',
      'oci',
      container,
      `oci-archive:${image}:forstkontor:${tagOf(version)}`,
    )
    return image
  } finally {
    // Layers of the store may belong to others.
    run('rm', '-rf', folder)
  }
}

/** Tags may not contain a plus. */
export const tagOf = (version: string): string => version.replaceAll('+', '-')

if (import.meta.main) {
  const missing = whatIsMissing()
  if (missing !== null) {
    console.error(
      `No image can be made here: ${missing}. deploy/compose.yaml expects one that was made elsewhere.`,
    )
    process.exitCode = 1
  } else {
    const [commit] = process.argv.slice(2)
    const version = versionOf(commit ?? 'HEAD')
    console.log(imageOf(commit === undefined ? packageOf(ROOT, version) : packageOfCommit(commit), version))
  }
}
