import { expect, test } from 'vitest'
import { beginWith } from './active-hq.ts'

const hq = (idHQ: number, fb_enabled = true) => ({ idHQ, fb_enabled })
const ALL = [hq(3), hq(1), hq(7, false), hq(5)]

test.each([
  ['chosen last', { chosen: 5, usual: 1 }, 5],
  ['never chosen: the usual one', { chosen: 0, usual: 1 }, 1],
  ['chosen, but not one’s own any more', { chosen: 99, usual: 1 }, 1],
  ['chosen, but not enabled any more', { chosen: 7, usual: 1 }, 1],
  ['not enabled, for those who look at all', { chosen: 7, usual: 1, any: true }, 7],
  ['nothing known of the person', { chosen: 0 }, 3],
])('%s', (_why, how, expected) => expect(beginWith(ALL, how)?.idHQ).toBe(expected))
test('one that is not enabled where there is no other, and none at all', () => {
  expect(beginWith([hq(7, false)], { chosen: 0 })?.idHQ).toBe(7)
  expect(beginWith([], { chosen: 7 })).toBeUndefined()
})
