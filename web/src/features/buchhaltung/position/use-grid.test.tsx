// @vitest-environment happy-dom
import { act, useEffect } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { COLUMNS, commit, moveTo, startEdit, type } from './grid.ts'
import { emptyLine, printLines, type TableRow } from './line.ts'
import { type GridControl, useGrid } from './use-grid.ts'

const EP = COLUMNS.indexOf('ep')
const LINES = ['a', 'b'].map((name) => emptyLine({ bez: name, ep: '10,00' }))
const numbered = (lines: readonly TableRow[]) =>
  printLines(lines.map((line, nr) => ({ ...line, id: 100 + nr })))

let root: Root
let control: GridControl
let told: string[]
beforeEach(async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  told = []
  root = createRoot(document.createElement('div'))
  await show(printLines(LINES))
})
afterEach(() => act(() => root.unmount()))

function Editor({ value }: { value: string }) {
  const made = useGrid(value, (text) => told.push(text))
  useEffect(() => {
    control = made
  })
  return null
}
const show = (value: string) => act(async () => root.render(<Editor value={value} />))
const write = (text: string) =>
  act(async () => control.act((grid) => type(startEdit(moveTo(grid, { row: 1, col: EP }), ''), text)))

test('the answer to a save leaves the text that is being typed, and it is saved with the line', async () => {
  await write('12,5')
  await show(numbered(LINES))
  expect([control.grid.edit, control.grid.cursor]).toEqual(['12,5', { row: 1, col: EP }])
  await act(async () => control.act(commit))
  await act(async () => control.tell())
  expect(JSON.parse(told.at(-1)!)).toMatchObject([{ id: 100 }, { id: 101, ep: '12,50' }])
})
test('a cell left just before the answer is told all the same', async () => {
  await write('7')
  await act(async () => control.act(commit))
  await show(numbered(LINES))
  await act(async () => control.tell())
  expect(JSON.parse(told.at(-1)!)).toMatchObject([{ id: 100 }, { id: 101, ep: '7,00' }])
})
