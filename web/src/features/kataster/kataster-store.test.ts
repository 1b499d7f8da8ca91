// The state of the survey's map, without a map.
import { expect, test } from 'vitest'
import {
  countVisible,
  hiddenKindsOf,
  hiddenText,
  isOutOfSight,
  katasterStore,
  showFinding,
  stop,
} from './kataster-store.ts'
import type { Hit } from './ol-kataster.ts'

const hit = (id: number): Hit => ({ art: 'schacht', id, label: '', wort: 'ja' })

test('a list appears where several objects are found, and only there', () => {
  const start = katasterStore().get()
  const several = showFinding(start, [hit(1), hit(2)])
  expect(several.finding).toEqual([hit(1), hit(2)])
  expect(showFinding(several, [hit(1)]).finding).toBe(null)
  expect(showFinding(several, []).finding).toBe(null)
})
test('escape ends measuring and closes the list', () => {
  const busy = { ...showFinding(katasterStore().get(), [hit(1), hit(2)]), tool: 'flaeche' as const }
  expect(stop(busy)).toMatchObject({ tool: 'zeigen', finding: null })
})
test('a map drawn again with as many symbols changes nothing', () => {
  const counted = countVisible(katasterStore().get(), 7)
  expect(counted.visible).toBe(7)
  expect(countVisible(counted, 7)).toBe(counted)
})
test('hidden kinds are in the address, unknown words are skipped', () => {
  const hidden = hiddenKindsOf('schacht,nichts,einlauf')
  expect([...hidden].toSorted()).toEqual(['einlauf', 'schacht'])
  expect(hiddenText(hidden, 'schacht', true)).toBe('einlauf')
  expect(hiddenKindsOf(hiddenText(hidden, 'draenage', false))).toContain('draenage')
  expect(hiddenKindsOf(undefined).size).toBe(0)
})
test('an object is out of sight outside the map and while the map is small', () => {
  const shown = [0, 0, 100, 100] as const
  expect(isOutOfSight([40, 40, 60, 60], shown, 1)).toBe(false)
  expect(isOutOfSight([40, 40, 60, 60], shown, 5)).toBe(true)
  expect(isOutOfSight([140, 40, 160, 60], shown, 1)).toBe(true)
  expect(isOutOfSight([40, -90, 60, -60], shown, 1)).toBe(true)
})
