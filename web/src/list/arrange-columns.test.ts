import { expect, test } from 'vitest'
import { arranged } from '../ui/column-choice.ts'
import { moveColumn, setWidth, toggleColumn, widthIn } from './arrange-columns.ts'

const ORDER = ['name', 'plz', 'ort', 'land', 'taten']

test('a column that is shown again is beside its neighbour', () => {
  expect(toggleColumn(['name', 'ort'], 'plz', ORDER)).toEqual(['name', 'plz', 'ort'])
  expect(toggleColumn(['name', 'ort', 'plz:80'], 'land', ORDER)).toEqual(['name', 'ort', 'land', 'plz:80'])
  expect(toggleColumn(['name', 'ort:90', 'plz'], 'ort', ORDER)).toEqual(['name', 'plz'])
})

test('a column moves, the name of the row stays first', () => {
  expect(moveColumn(['name', 'plz', 'ort'], 'ort', 1)).toEqual(['name', 'ort', 'plz'])
  expect(moveColumn(['name', 'plz', 'ort'], 'ort', 0)).toEqual(['name', 'ort', 'plz'])
  expect(moveColumn(['name', 'plz:70', 'ort'], 'plz', 9)).toEqual(['name', 'ort', 'plz:70'])
  const same = ['name', 'plz']
  expect(moveColumn(same, 'name', 1)).toBe(same)
  expect(moveColumn(same, 'gone', 1)).toBe(same)
})

test('a width stays within what can be read, and can be taken back', () => {
  const wide = setWidth(['name', 'ort'], 'ort', 180.4)
  expect(wide).toEqual(['name', 'ort:180'])
  expect(widthIn(wide, 'ort')).toBe(180)
  expect(setWidth(wide, 'ort', 3)).toEqual(['name', 'ort:48'])
  expect(setWidth(wide, 'ort', 5000)).toEqual(['name', 'ort:900'])
  expect(setWidth(wide, 'ort', undefined)).toEqual(['name', 'ort'])
  expect(widthIn(['name'], 'ort')).toBeUndefined()
})

test('columns are arranged as chosen; fixed ones without a place come last', () => {
  const columns = ORDER.map((key) => ({ key, fixed: key === 'taten' }))
  const shown = arranged(columns, ['ort:120', 'plz', 'gone'])
  expect(shown.map(({ key }) => key)).toEqual(['name', 'ort', 'plz', 'taten'])
  expect(shown.map(({ ownWidth }) => ownWidth)).toEqual([undefined, 120, undefined, undefined])
  expect(arranged(columns, ['name:300'])[0]?.ownWidth).toBe(300)
  // What somebody else left there does no harm.
  expect(arranged(columns, ['ort:', 'plz:x']).map(({ ownWidth }) => ownWidth)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
