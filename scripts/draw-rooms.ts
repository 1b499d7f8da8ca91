// npm run picture: draws the rooms of the source and what they import (docs/pictures/rooms.svg). --check only
// compares.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { importsOf } from '../test/source-imports.ts'
import { drawRooms, type Drawing } from './room-picture/room-svg.ts'
import { ROOMS_OF_REQUEST, roomsByFile } from './room-picture/room-names.ts'

const ROOT = join(import.meta.dirname, '..')
const PICTURE = join(ROOT, 'docs/pictures/rooms.svg')

/** Of the product alone, without its tests: rooms, and which other rooms each imports at run time. */
function readRooms(): Drawing {
  const files = execFileSync('git', ['ls-files', 'domain', 'contract', 'server', 'web/src'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.(?:test|fixture|child)\.tsx?$|\.d\.ts$/.test(path))
  const imports = new Map(
    files.map((path) => [path, importsOf({ path, text: readFileSync(join(ROOT, path), 'utf8') })]),
  )
  const byFile = roomsByFile(imports)
  const rooms = new Map([...byFile.values()].map((room) => [room, new Set<string>()]))
  for (const [path, list] of imports)
    for (const { to } of list.filter(({ typeOnly }) => !typeOnly)) {
      const [from, used] = [byFile.get(path) ?? '', byFile.get(to)]
      if (used !== undefined && used !== from) rooms.get(from)?.add(used)
    }
  const features = files.flatMap((path) => /^web\/src\/features\/([\w-]+)\//.exec(path)?.[1] ?? [])
  return { rooms, features: [...new Set(features)].sort(), request: ROOMS_OF_REQUEST }
}

/** The picture as it should be, from the sources as they are. */
export const pictureNow = (): string => drawRooms(readRooms())

if (process.argv[1] === import.meta.filename) {
  const svg = pictureNow()
  if (!process.argv.includes('--check')) writeFileSync(PICTURE, svg)
  else if (readFileSync(PICTURE, 'utf8') !== svg) {
    console.error('docs/pictures/rooms.svg does not show the sources as they are. npm run picture draws it.')
    process.exitCode = 1
  }
}
