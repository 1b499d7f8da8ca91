import { describe, expect, test } from 'vitest'
import type { BelegPosition } from '#domain/beleg.ts'
import { choose, decidedLines } from './angebot-choice.ts'

const line = (id: string, art: BelegPosition['art']) => ({ id, art }) as BelegPosition
/** A line with an alternative, then an extra. */
const LINES = [line('1', 'position'), line('2', 'alternativ'), line('3', 'position'), line('4', 'optional')]
const ids = (lines: readonly BelegPosition[]) => lines.map(({ id }) => id).join()

describe('a choice', () => {
  test('takes one of its group and leaves the others alone', () => {
    expect([...choose(new Set(['4', '2']), ['2', '5'], '5')]).toEqual(['4', '5'])
    expect([...choose(new Set(['4', '2']), ['2', '5'], null)]).toEqual(['4'])
  })
  test.each([
    ['', '1', '2,4'],
    ['2', '2', '1,4'],
    ['4', '1,4', '2'],
    ['2,4', '2,4', '1'],
  ])('of %j takes %s and leaves %s', (chosen, taken, left) => {
    const lines = decidedLines(LINES, new Set(chosen.split(',')))
    expect([ids(lines.taken), ids(lines.left)]).toEqual([taken, left])
  })
})
