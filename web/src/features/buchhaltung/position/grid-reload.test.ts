import { expect, test } from 'vitest'
import {
  COLUMNS,
  commit,
  DESCRIPTION,
  enter,
  type Grid,
  insertAt,
  moveTo,
  openGrid,
  startEdit,
  type,
  undo,
} from './grid.ts'
import { reload } from './grid-reload.ts'
import { emptyLine, filledLines, type TableRow } from './line.ts'

const EP = COLUMNS.indexOf('ep')
const grid = (...names: string[]): Grid =>
  openGrid(names.map((name) => emptyLine({ bez: name, ep: '10,00' })))
/** As the server answers them: numbered, with their own keys. */
const saved = ({ zeilen }: Pick<Grid, 'zeilen'>, from = 100): TableRow[] =>
  filledLines(zeilen).map((line, nr) => emptyLine({ ...line, id: line.id ?? from + nr }))
const typing = (now: Grid, row: number, text: string): Grid =>
  type(startEdit(moveTo(now, { row, col: EP }), ''), text)
const names = ({ zeilen }: Grid) => zeilen.map(({ bez }) => bez)
const keys = ({ zeilen }: Grid) => zeilen.map(({ key }) => key)
const ids = ({ zeilen }: Grid) => zeilen.map(({ id }) => id)

test('the answer to a save only numbers the lines: what is being typed, cursor and undo stay', () => {
  const before = typing(moveTo(insertAt(grid('a', 'b', 'c'), 3), { row: 2, col: EP }), 2, '12,5')
  const now = reload(before, saved(before))
  expect(now.edit).toBe('12,5')
  expect(now.cursor).toEqual({ row: 2, col: EP })
  expect(names(now)).toEqual(['a', 'b', 'c', ''])
  expect(ids(now)).toEqual([100, 101, 102, null])
  expect(keys(now)).toEqual(keys(before))
  expect(now.past).toHaveLength(before.past.length)
  expect(commit(now).zeilen.map(({ ep }) => ep)).toEqual(['10,00', '10,00', '12,50', ''])
})
test('a line undone after the save keeps the number it got', () => {
  const changed = commit(typing(grid('a', 'b'), 1, '20'))
  const now = undo(reload(changed, saved(changed)))
  expect(now.zeilen.map(({ id, ep }) => [id, ep])).toEqual([
    [100, '10,00'],
    [101, '10,00'],
  ])
})
test('a line entered while the answer was on its way stays beside the numbered ones', () => {
  const sent = grid('a', 'b')
  const now = reload(enter(typing(sent, 0, '7')), saved(sent), sent.zeilen)
  expect(now.zeilen.map(({ id, ep }) => [id, ep])).toEqual([
    [100, '7,00'],
    [101, '10,00'],
  ])
  expect(now.cursor).toEqual({ row: 1, col: EP })
})
test('lines changed by somebody else: what is being typed follows its line', () => {
  const mine = openGrid(saved(grid('a', 'b')))
  const theirs = [emptyLine({ bez: 'first', id: 200 }), ...saved({ zeilen: mine.zeilen })]
  const now = reload(typing(mine, 1, '3'), theirs)
  expect(names(now)).toEqual(['first', 'a', 'b'])
  expect(now.cursor).toEqual({ row: 2, col: EP })
  expect(now.edit).toBe('3')
  expect(keys(now).slice(1)).toEqual(keys(mine))
  expect(new Set(keys(now)).size).toBe(3)
})
test('a line that somebody else deleted stays as a new one while it is being typed in', () => {
  const mine = openGrid(saved(grid('a', 'b', 'c')))
  const now = reload(typing(mine, 1, '3'), saved({ zeilen: mine.zeilen.toSpliced(1, 1) }))
  expect(now.zeilen.map(({ id, bez }) => [id, bez])).toEqual([
    [100, 'a'],
    [null, 'b'],
    [102, 'c'],
  ])
  expect(now.cursor).toEqual({ row: 1, col: EP })
  expect(now.edit).toBe('3')
})
test('a new line being typed in stays, whatever somebody else changed', () => {
  const mine = openGrid(saved(grid('a')))
  const before = type(startEdit(insertAt(mine, 1), ''), 'new')
  const now = reload(before, [...saved({ zeilen: mine.zeilen }), emptyLine({ bez: 'theirs', id: 200 })])
  expect(now.zeilen.map(({ id, bez }) => [id, bez])).toEqual([
    [100, 'a'],
    [null, ''],
    [200, 'theirs'],
  ])
  expect([now.cursor, now.edit]).toEqual([{ row: 1, col: DESCRIPTION }, 'new'])
})
test('a new line saved with other values than sent is not doubled by what is being typed in it', () => {
  const before = typing(grid('a', 'b'), 1, '3')
  const now = reload(before, [...saved(before).slice(0, 1), emptyLine({ bez: 'b', erl: 'theirs', id: 101 })])
  expect(now.zeilen.map(({ id, erl }) => [id, erl])).toEqual([
    [100, ''],
    [101, 'theirs'],
  ])
  expect([now.cursor, now.edit]).toEqual([{ row: 1, col: EP }, '3'])
})
test('discarded lines begin a new history, at the cursor’s line', () => {
  const mine = openGrid(saved(grid('a', 'b')))
  const now = reload(commit(typing(mine, 1, '3')), saved({ zeilen: mine.zeilen }))
  expect(now.past).toEqual([])
  expect(now.cursor).toEqual({ row: 1, col: EP })
  expect(keys(now)).toEqual(keys(mine))
  expect(reload(mine, []).zeilen).toHaveLength(1)
})
