import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { personOf } from './caller.ts'
import { callerOf } from './program-keys/program-keys.ts'
import { createJob } from './job.ts'
import { asking, inShareOf, longestBut, shareOf, STRANGERS, strangerAt } from './share.ts'

const OWNER = { iss: 'https://forst.example/realms/master', sub: '5f0e', email: 'a@forst.example' }
const keyNamed = (id: number) =>
  callerOf({ ...OWNER, id, name: 'QGIS', nur_lesen: false, zustand: 'aktiv' }).person

test('all keys of a person have the share of that person, each a row of its own', () => {
  const shares = [personOf(OWNER), ...Array.from({ length: 50 }, (_, nr) => keyNamed(nr))].map(shareOf)
  expect(new Set(shares.map(({ party }) => party))).toEqual(new Set([personOf(OWNER)]))
  expect(new Set(shares.map(({ row }) => row)).size).toBe(51)
  expect(shares[0]?.row).toBe('')
})

test('all without an account have one, each network a row; of IPv6 that is a whole /64', () => {
  const at = ['192.0.2.1', '192.0.2.2', '2001:db8:1:2:3::4', '2001:db8:1:2:9::1'].map((ip) =>
    shareOf(strangerAt(ip)),
  )
  expect(new Set(at.map(({ party }) => party))).toEqual(new Set([STRANGERS]))
  expect(at.map(({ row }) => row)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8:1:2', '2001:db8:1:2'])
})

test('only who has clearly more gives a place up', () => {
  const rows = [[1], [1, 2, 3], [1, 2]]
  const longest = (own: number[]) => longestBut([...rows, own], own, ({ length }) => length)
  expect([longest([]), longest([1]), longest([1, 2]), longest([1, 2, 3, 4])]).toEqual([
    rows[1],
    rows[1],
    null,
    null,
  ])
})

test('what a request leads to counts as its sender, a job that it wakes as nobody', async () => {
  const seen: object[] = []
  const job = createJob({
    name: 'mails',
    everyMs: 60_000,
    round: async () => seen.push(asking()),
    onFault: () => undefined,
  })
  job.start()
  await inShareOf('anna', async () => {
    await sleep(1)
    seen.push(asking())
    job.wake()
    await sleep(20)
  })
  await job.stop()
  expect([...seen, asking()]).toEqual([{ person: 'anna' }, {}, {}])
})
