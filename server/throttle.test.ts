import { expect, test } from 'vitest'
import { createThrottle } from './throttle.ts'

const clock = (start: string) => {
  let time = new Date(start).getTime()
  return { now: () => new Date(time), pass: (seconds: number) => void (time += seconds * 1000) }
}

test('lets so many through in a minute, says how long to wait, and begins anew', () => {
  const { now, pass } = clock('2026-11-21T12:00:10Z')
  const throttle = createThrottle(3, now)
  expect([1, 2, 3, 4].map(() => throttle.admit('192.0.2.1'))).toEqual([0, 0, 0, 50])
  pass(20)
  expect(throttle.admit('192.0.2.1')).toBe(30)
  pass(30)
  expect(throttle.admit('192.0.2.1')).toBe(0)
})
test('counts each network by itself; one of IPv6 is a whole /64', () => {
  const throttle = createThrottle(1, clock('2026-11-21T12:00:00Z').now)
  expect([throttle.admit('192.0.2.1'), throttle.admit('192.0.2.2'), throttle.admit('192.0.2.1')]).toEqual([
    0, 0, 60,
  ])
  expect([
    throttle.admit('2001:db8:1:2:3::4'),
    throttle.admit('2001:db8:1:2:9::1'),
    throttle.admit('2001:db8:1:3::1'),
  ]).toEqual([0, 60, 0])
})
test('keeps no more networks than it can hold', () => {
  const throttle = createThrottle(2, clock('2026-11-21T12:00:00Z').now)
  for (let nr = 0; nr < 10_000; nr++) throttle.admit(`10.${nr >> 16}.${(nr >> 8) & 255}.${nr & 255}`)
  expect([1, 2, 3].map((nr) => throttle.admit(`11.0.0.${nr}`))).toEqual([0, 0, 60])
  expect(throttle.admit('10.0.0.1')).toBe(0)
})

test('what is given back does not count, and what was refused never did', () => {
  const { now, pass } = clock('2026-11-21T12:00:10Z')
  const throttle = createThrottle(2, now)
  const admit = () => throttle.admit('192.0.2.1')
  expect([admit(), admit(), admit(), admit()]).toEqual([0, 0, 50, 50])
  throttle.giveBack('192.0.2.1')
  expect([admit(), admit()]).toEqual([0, 50])
  pass(60)
  // Of the minute before.
  throttle.giveBack('192.0.2.1')
  expect([admit(), admit(), admit()]).toEqual([0, 0, 50])
})
