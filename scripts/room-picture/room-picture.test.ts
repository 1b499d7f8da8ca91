import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { pictureNow } from '../draw-rooms.ts'
import { roomsByFile, SERVER_FILES } from './room-names.ts'
import { drawRooms } from './room-svg.ts'

const PICTURE = join(import.meta.dirname, '../../docs/pictures/rooms.svg')

test('the picture of the rooms shows the sources as they are: npm run picture', () =>
  expect(readFileSync(PICTURE, 'utf8')).toBe(pictureNow()))

describe('a drawing', () => {
  const rooms = new Map([
    ['web/app', new Set(['web/ui', 'domain'])],
    ['web/ui', new Set(['domain'])],
    ['server/data-api', new Set(['server/database'])],
    ['server/database', new Set<string>()],
    ['contract', new Set(['domain'])],
    ['domain', new Set<string>()],
  ])
  const svg = drawRooms({ rooms, features: [], request: ['web/app', 'server/data-api', 'db'] })
  const topOf = (room: string): number =>
    Number(new RegExp(`<rect x="\\d+" y="(\\d+)"[^>]*/><text[^>]*>${room}`).exec(svg)?.[1])

  test('has each room above those that it imports', () => {
    expect(topOf('web/app')).toBeLessThan(topOf('web/ui'))
    expect(topOf('web/ui')).toBeLessThan(topOf('contract'))
    expect(topOf('contract')).toBeLessThan(topOf('domain'))
    expect(topOf('server/data-api')).toBeLessThan(topOf('server/database'))
  })
  test('leaves out an arrow that follows from others, and numbers the way of the request', () => {
    // web/app to domain follows from web/app to web/ui to domain.
    expect(svg.match(/<path /g)).toHaveLength(4)
    expect([...svg.matchAll(/class="step">(\d)/g)].map(([, step]) => step)).toEqual(['1', '2', '3'])
  })
})

test('files directly in server/ are told apart by what they import', () => {
  const own = (to: string) => ({ from: '', to, own: true, typeOnly: false })
  const byFile = roomsByFile(
    new Map([
      ['server/log.ts', []],
      ['server/refuse.ts', [own('server/database/database.ts')]],
      ['server/nutzer.ts', [own('server/refuse.ts')]],
      ['server/start.ts', [own('server/karten/routes.ts')]],
      ['server/main.ts', [own('server/start.ts')]],
      ['server/karten/routes.ts', [own('server/log.ts')]],
    ]),
  )
  expect([...byFile.values()]).toEqual([
    SERVER_FILES.base,
    SERVER_FILES.onDatabase,
    SERVER_FILES.onDatabase,
    SERVER_FILES.start,
    SERVER_FILES.start,
    'server/karten',
  ])
})
