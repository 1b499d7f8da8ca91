// The real Keycloak, fetched from Maven Central by Maven itself and cached in .cache/keycloak.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

export const VERSION = '26.7.4'
const CACHE = join(import.meta.dirname, '../.cache/keycloak')
const HOME = join(CACHE, `keycloak-${VERSION}`)
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy'
const MINUTES_10 = 600_000

export type Fetched = { readonly home: string } | { readonly missing: string }

const runs = (command: string, args: readonly string[]) =>
  spawnSync(command, args, { encoding: 'utf8', timeout: MINUTES_10, cwd: CACHE })

/** Returns the folder of the unpacked server, or a sentence saying what is missing. */
export function fetchKeycloak(): Fetched {
  // Must come first, because commands run in this folder: a missing folder would look like a missing command.
  mkdirSync(CACHE, { recursive: true })
  const java = /version "(\d+)/.exec(runs('java', ['-version']).stderr ?? '')?.[1]
  if (Number(java ?? 0) < 17) return { missing: 'Java 17 or newer is not installed' }
  if (existsSync(join(HOME, 'bin/kc.sh'))) return { home: HOME }
  const archive = join(CACHE, `keycloak-quarkus-dist-${VERSION}.zip`)
  if (!existsSync(archive)) {
    const copied = runs('mvn', [
      '-q',
      '-B',
      COPY,
      `-Dartifact=org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`,
      `-DoutputDirectory=${CACHE}`,
    ])
    if (copied.error !== undefined) return { missing: 'Maven is not installed' }
    if (copied.status !== 0 || !existsSync(archive))
      return { missing: `Maven Central cannot be reached: ${firstLine(copied.stdout + copied.stderr)}` }
  }
  return unpack(archive)
}

/** Unpacks into a temporary folder first, so that a partial result is never taken for a complete one. */
function unpack(archive: string): Fetched {
  const folder = join(CACHE, `unpacking-${process.pid}`)
  mkdirSync(folder, { recursive: true })
  const unpacked = spawnSync('jar', ['xf', archive], { cwd: folder, timeout: MINUTES_10 })
  if (unpacked.status !== 0) spawnSync('unzip', ['-q', '-o', archive], { cwd: folder, timeout: MINUTES_10 })
  const whole = join(folder, `keycloak-${VERSION}`)
  if (!existsSync(join(whole, 'bin/kc.sh')))
    return { missing: 'neither jar nor unzip could unpack the archive' }
  if (!existsSync(HOME)) renameSync(whole, HOME)
  rmSync(folder, { recursive: true, force: true })
  rmSync(archive)
  return { home: HOME }
}

const firstLine = (text: string) =>
  text.split('\n').find((line) => line.includes('ERROR')) ?? 'no reason given'
