import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { reasonForLog } from '#server/database/log-reason.ts'
import { digestOf, isKey, KEY_PATTERN, keyIn, makeKey, signsOf } from './key-format.ts'

const KEY = makeKey()
const basic = (text: string, scheme = 'Basic') => `${scheme} ${Buffer.from(text).toString('base64')}`

test('a key is random, of one length, and fits into a word', () => {
  const many = Array.from({ length: 200 }, () => makeKey())
  expect(new Set(many).size).toBe(200)
  for (const key of many) {
    expect(key).toMatch(/^forst_[0-9A-Za-z]{49}$/)
    expect(isKey(key)).toBe(true)
  }
  expect(isKey(makeKey(new Uint8Array(32)))).toBe(true)
  expect(isKey(makeKey(new Uint8Array(32).fill(255)))).toBe(true)
})
test('what is mistyped, truncated or made up is recognized without the database', () => {
  const swapped = KEY.slice(0, 20) + (KEY[20] === 'a' ? 'b' : 'a') + KEY.slice(21)
  for (const wrong of [
    swapped,
    KEY.slice(0, -1),
    `${KEY}a`,
    KEY.toLowerCase(),
    '',
    `forst_${'0'.repeat(49)}`,
  ])
    expect(isKey(wrong), wrong).toBe(false)
})
test('it is found as a bearer and as the password of Basic, whatever the user name', () => {
  for (const header of [
    `Bearer ${KEY}`,
    `bearer   ${KEY} `,
    basic(`programm:${KEY}`),
    basic(`:${KEY}`),
    basic(`Jörg:${KEY}`, 'BASIC'),
  ])
    expect(keyIn(header), header).toBe(KEY)
})
test('everything else is left to whom it belongs', () => {
  for (const header of [undefined, '', 'Bearer a.b.c', 'Digest x', `Token ${KEY}`, KEY])
    expect(keyIn(header), header).toBeNull()
})
test('Basic of wrong shape is no key', () => {
  for (const header of [
    'Basic',
    'Basic ',
    'Basic ???',
    basic('without a colon'),
    `Basic ${'A'.repeat(5_000)}`,
  ])
    expect(keyIn(header), header).toBeUndefined()
  expect(keyIn(basic('a:b:c'))).toBe('b:c')
})
test('what is stored is its SHA-256; people recognize it by its end', () => {
  expect(digestOf(KEY)).toBe(createHash('sha256').update(KEY).digest('hex'))
  expect(signsOf(KEY)).toBe(KEY.slice(51))
})
test('a log never contains one', () => {
  expect(reasonForLog(new Error(`bad header ${KEY}, again ${KEY.slice(0, 30)}`))).toBe(
    'bad header […], again […]',
  )
  expect(`x ${KEY} y`.match(KEY_PATTERN)).toEqual([KEY])
})
