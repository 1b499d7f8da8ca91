import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { makeKey } from '#server/program-keys/key-format.ts'
import { credentialOf } from './credential.ts'

const request = (headers: Record<string, string>) => ({ headers }) as unknown as FastifyRequest

test('a token may be in X-Token or in the address, as long as there is one', () => {
  expect(credentialOf(request({}))).toBeUndefined()
  expect(credentialOf(request({ 'x-token': 'a.b.c' }))).toBe('Bearer a.b.c')
  expect(credentialOf(request({}), 'a.b.c')).toBe('Bearer a.b.c')
  expect(() => credentialOf(request({ 'x-token': 'a.b.c' }), 'd.e.f')).toThrow()
})
test('a key of a program is taken from the header Authorization alone, where wrong ones are counted', () => {
  const key = makeKey()
  expect(credentialOf(request({ authorization: `Bearer ${key}` }))).toBe(`Bearer ${key}`)
  for (const given of [key, `Bearer ${key}`, `bearer  ${key}`]) {
    expect(() => credentialOf(request({ 'x-token': given })), given).toThrow(/Authorization/)
    expect(() => credentialOf(request({}), given), given).toThrow(/Authorization/)
  }
  expect(() => credentialOf(request({ authorization: `Bearer ${key}`, 'x-token': key }))).toThrow()
})
