// What the picture of the rooms calls a room, and the way of one request through them.
import type { Import } from '../../test/source-imports.ts'

/** Files directly in server/ are of three kinds, by what they import. */
export const SERVER_FILES = {
  start: 'server: start, main, settings',
  onDatabase: 'server: errors, refusals, health',
  base: 'server: log, fetch, queue',
} as const
type Kind = keyof typeof SERVER_FILES

const isDirect = (path: string): boolean => /^server\/[^/]+$/.test(path)

function kindBy(imports: readonly Import[], kinds: ReadonlyMap<string, Kind>): Kind {
  const used = imports.filter(({ own, to }) => own && to.startsWith('server/')).map(({ to }) => to)
  const isRoom = (to: string) => !isDirect(to)
  if (used.some((to) => (isRoom(to) ? !to.startsWith('server/database/') : kinds.get(to) === 'start')))
    return 'start'
  return used.some((to) => isRoom(to) || kinds.get(to) === 'onDatabase') ? 'onDatabase' : 'base'
}

/** The room of each source file. All features of the web are one box, as they do not know each other. */
export function roomsByFile(files: ReadonlyMap<string, readonly Import[]>): ReadonlyMap<string, string> {
  let kinds: ReadonlyMap<string, Kind> = new Map()
  // Each round knows the kinds of the files imported by those of the round before.
  for (let round = 0; round < files.size; round++) {
    const next = new Map(
      [...files].filter(([path]) => isDirect(path)).map(([path, imports]) => [path, kindBy(imports, kinds)]),
    )
    if ([...next].every(([path, kind]) => kinds.get(path) === kind)) break
    kinds = next
  }
  return new Map(
    [...files.keys()].map((path) => {
      const [half = '', second = '', third = ''] = path.split('/')
      if (half === 'web') return [path, third.includes('.') ? 'web/app' : `web/${third}`]
      if (half !== 'server') return [path, half]
      if (/(?:[/-]main|operations\/command)\.ts$/.test(path)) return [path, SERVER_FILES.start]
      return [path, isDirect(path) ? SERVER_FILES[kinds.get(path) ?? 'base'] : `server/${second}`]
    }),
  )
}

/** `GET /rest/kunde`, from the screen to the row. */
export const ROOMS_OF_REQUEST = [
  'web/features',
  'web/data',
  'server/data-api',
  'server/identity',
  'server/database',
  'db',
] as const
