import { describe, expect, test } from 'vitest'
import { decimal } from '#domain/geld.ts'
import type { Rest } from '../beleg.data.ts'
import { shareQuantities, isMore, emptyQuantities, remainingQuantities } from './quantities.ts'

const line = (position_id: number, count: string, rest: string): Rest => ({
  position_id,
  lfd_nr: position_id,
  bez: `Zeile ${position_id}`,
  einheit: 'ha',
  ep: '10.00',
  anzahl: count,
  abgerechnet: '0',
  in_entwuerfen: '0',
  rest,
})
const LINES = [line(1, '10', '6'), line(2, '3.5', '3.5'), line(3, '4', '0'), line(4, '-2', '-1')]

describe('what goes into the next invoice', () => {
  test('all that is left; what is billed stays empty', () =>
    expect(remainingQuantities(LINES)).toEqual({ 1: '6', 2: '3,5', 3: '', 4: '-1' }))
  test('nothing', () => expect(emptyQuantities(LINES)).toEqual({ 1: '', 2: '', 3: '', 4: '' }))
  test.each([
    ['30', { 1: '3', 2: '1,05', 3: '', 4: '-0,6' }],
    ['33.33', { 1: '3,333', 2: '1,167', 3: '', 4: '-0,667' }],
    ['80', { 1: '6', 2: '2,8', 3: '', 4: '-1' }],
    ['100', { 1: '6', 2: '3,5', 3: '', 4: '-1' }],
    ['0', { 1: '', 2: '', 3: '', 4: '' }],
  ])('%s per cent of the offer, and no more than is left', (percent, expected) =>
    expect(shareQuantities(LINES, decimal(percent))).toEqual(expected),
  )
  test.each([
    ['6', '6', false],
    ['6.001', '6', true],
    ['1', '0', true],
    ['-1', '-1', false],
    ['-1.5', '-1', true],
  ])('%s of %s left: more %s', (wanted, rest, more) =>
    expect(isMore(decimal(wanted), decimal(rest))).toBe(more),
  )
})
