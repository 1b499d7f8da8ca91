// Checks whether a folder is usable: creates it if it is missing, and writes a test file. What is wrong is
// returned as the end of a German sentence.
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** More than one block, so that a full disk is noticed. */
const TRIAL_BYTES = 64 * 1024

/** Null when the folder is usable. */
export function faultOfFolder(path: string): string | null {
  try {
    make(path)
    writeForTrial(path)
    return null
  } catch (error) {
    return faultOf(path, error)
  }
}

/**
 * Level by level: Node's own recursive way never returns below a folder where nothing can
 * be created, such as /proc.
 */
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

/** The first part of the path that is not a folder. */
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
