// Whether a folder can be worked in: made where it is missing, and written to for a try. What is wrong comes as the end of a German sentence.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** More than a block, so that a disk without any left notices. */
const TRIAL_BYTES = 64 * 1024

/** Null when nothing is wrong. */
export function faultOfFolder(path: string): string | null {
  try {
    make(path)
    writeForTrial(path)
    return null
  } catch (error) {
    return faultOf(path, error)
  }
}

/** One after the other: Node's own way never ends below a folder in which nothing may be made, such as /proc. */
function make(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  const parent = dirname(path)
  if (parent !== path) make(parent)
  mkdirSync(path, { mode: 0o700 })
}

function writeForTrial(folder: string): void {
  const file = join(folder, `.schreibprobe-${randomBytes(6).toString('hex')}`)
  try {
    const descriptor = openSync(file, 'wx', 0o600)
    try {
      writeFileSync(descriptor, randomBytes(TRIAL_BYTES))
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } finally {
    rmSync(file, { force: true })
  }
}

function faultOf(path: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return `ist kein Ordner: ${fileOnTheWay(path)} ist eine Datei`
    case 'EACCES':
    case 'EPERM':
      return 'darf von diesem Benutzer nicht beschrieben werden'
    case 'EROFS':
      return 'ist auf einem Datenträger, der nur gelesen werden kann'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'ist auf einem Datenträger ohne freien Platz'
    case 'ENOENT':
      return 'lässt sich dort nicht anlegen'
    case 'ENAMETOOLONG':
      return 'hat einen zu langen Namen'
    case 'ELOOP':
      return 'verweist im Kreis auf sich selbst'
    default:
      return `lässt sich nicht benutzen (${error instanceof Error ? error.message : String(error)})`
  }
}

/** The first part of the path that is none. */
function fileOnTheWay(path: string): string {
  const parent = dirname(path)
  if (parent !== path) {
    const found = fileOnTheWay(parent)
    if (found !== '') return found
  }
  try {
    return statSync(path).isDirectory() ? '' : path
  } catch {
    return ''
  }
}
