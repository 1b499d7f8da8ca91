// Names whose servers are silent, slow or hostile.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressesIn, orderlyLookup, publicLookup } from './name-lookup.ts'

/** Types of records. */
const [FOUR, SIX] = [1, 28]
/** By name: what the server of the test says; it is silent about others. */
const ZONE: Record<string, { readonly four?: readonly number[][]; readonly six?: readonly number[][] }> = {
  'public.example': { four: [[93, 184, 216, 34]] },
  'mixed.example': {
    four: [
      [93, 184, 216, 34],
      [10, 0, 0, 1],
    ],
  },
  'hidden.example': { four: [[93, 184, 216, 34]], six: [[0xfd, ...Array.from({ length: 15 }, () => 1)]] },
  'empty.example': {},
}

/** An answer with what the zone has; null: none. */
function answerTo(question: Buffer): Buffer | null {
  const labels: string[] = []
  let at = 12
  for (let length = question[at]!; length > 0; length = question[at]!) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const type = question.readUInt16BE(at + 1)
  const zone = ZONE[labels.join('.').toLowerCase()]
  if (zone === undefined) return null
  const found = (type === FOUR ? zone.four : type === SIX ? zone.six : undefined) ?? []
  const head = Buffer.from(question.subarray(0, at + 5))
  head.writeUInt16BE(0x81_80, 2)
  head.writeUInt16BE(found.length, 6)
  head.fill(0, 8, 12)
  const records = found.map((bytes) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
  )
  return Buffer.concat([head, ...records])
}

describe('names', () => {
  let server: Socket
  let find: LookupFunction
  beforeAll(async () => {
    server = createSocket('udp4')
    server.on('message', (question, { port, address }) => {
      const answer = answerTo(question)
      if (answer !== null) server.send(answer, port, address)
    })
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    find = publicLookup({
      refuse: () => new Error('private'),
      servers: [`127.0.0.1:${server.address().port}`],
    })
  })
  afterAll(() => server.close())

  const found = (lookUp: LookupFunction, name: string, options: object = { all: true }) =>
    new Promise<string | LookupAddress[]>((resolve) =>
      lookUp(name, options, (error, addresses) => resolve(error === null ? addresses : error.message)),
    )

  test('a public name is found, in the form that is asked for', async () => {
    const all = [{ address: '93.184.216.34', family: 4 }]
    expect(await found(find, 'public.example')).toEqual(all)
    expect(await found(find, 'PUBLIC.example.', { all: true, family: 4 })).toEqual(all)
    expect(await found(find, 'public.example', {})).toBe('93.184.216.34')
    expect(await found(find, 'public.example', { family: 6 })).toContain('no such address')
  })
  test.each(['mixed.example', 'hidden.example', 'localhost'])('%s is refused', async (name) => {
    expect(await found(find, name)).toBe('private')
    // Whichever of its addresses the connection would take.
    expect(await found(find, name, { family: 4 })).toBe('private')
  })
  test('a name without addresses is not found', async () => {
    expect(await found(find, 'empty.example')).toMatch(/ENODATA/)
  })
  test('silent servers hold up neither files nor names of this machine, and not for ever', async () => {
    const silent = Array.from({ length: 12 }, (_, nr) => found(find, `silent-${nr}.example`))
    const started = performance.now()
    await Promise.all([readFile(import.meta.filename), found(orderlyLookup, 'localhost')])
    expect(performance.now() - started).toBeLessThan(1_000)
    for (const one of await Promise.all(silent)) expect(one).toMatch(/ETIMEOUT/)
    expect(performance.now() - started).toBeLessThan(9_500)
  }, 15_000)
  test('who asks for the same name at once gets the same answer, and nobody waits behind it', async () => {
    const names = Array.from({ length: 200 }, (_, nr) =>
      nr % 2 === 0 ? 'localhost' : 'no-such-name.invalid',
    )
    const all = await Promise.all(names.map((name) => found(orderlyLookup, name)))
    expect(new Set(all.filter((_, nr) => nr % 2 === 0)).size).toBe(1)
    expect(new Set(all.filter((_, nr) => nr % 2 === 1)).size).toBe(1)
  }, 30_000)
  test('of a file of hosts come names with several addresses, without regard to case and comments', () => {
    const hosts = '# 9.9.9.9 erp.example\n10.1.1.1\terp.example ERP # x\n\n::1 erp.example\nno erp.example\n'
    expect(addressesIn(hosts, 'erp.example')).toEqual([
      { address: '10.1.1.1', family: 4 },
      { address: '::1', family: 6 },
    ])
    expect(addressesIn(hosts, 'erp')).toEqual([{ address: '10.1.1.1', family: 4 }])
    expect(addressesIn(hosts, 'other')).toEqual([])
  })
})
