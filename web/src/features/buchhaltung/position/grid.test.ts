import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addLine,
  COLUMNS,
  cancelEdit,
  chooseAll,
  clearCell,
  commit,
  duplicateRows,
  enter,
  extend,
  type Grid,
  insertAt,
  move,
  moveRows,
  moveTo,
  openGrid,
  redo,
  removeRows,
  setFields,
  shiftRows,
  startEdit,
  tab,
  type,
  undo,
} from './grid.ts'
import { copyText, paste } from './grid-clipboard.ts'
import { reload } from './grid-reload.ts'
import {
  cellFault,
  emptyLine,
  isBlankLine,
  parseLines,
  positionBasis,
  positionValues,
  printLines,
  rowOf,
  type TableRow,
  tidyCell,
} from './line.ts'
import { parseTsv, printTsv } from './tsv.ts'

const col = (column: (typeof COLUMNS)[number]) => COLUMNS.indexOf(column)
const lines = (...names: string[]): Grid =>
  openGrid(names.map((name) => emptyLine({ bez: name, anzahl: '2', ep: '10,00' })))
const names = ({ zeilen }: Grid) => zeilen.map(({ bez }) => bez).join(' ')
const at = (grid: Grid, row: number, column: (typeof COLUMNS)[number]) =>
  moveTo(grid, { row, col: col(column) })

describe('moving', () => {
  test('arrows stop at the edges', () => {
    const grid = move(move(lines('a', 'b'), -5, -20), 0, 0)
    expect(grid.cursor).toEqual({ row: 0, col: 0 })
    expect(move(grid, 9, 99).cursor).toEqual({ row: 1, col: COLUMNS.length - 1 })
  })
  test('Tab visits what takes something, skips a heading’s numbers, adds a line and leaves after an empty one', () => {
    let grid = openGrid([emptyLine({ art: 'ueberschrift', bez: 'Titel' }), emptyLine({ bez: 'a' })])
    grid = at(grid, 0, 'bez')
    grid = tab(grid, false)!
    expect(grid.cursor).toEqual({ row: 1, col: col('bez') })
    for (const column of ['anzahl', 'einheit', 'ep', 'rabatt_prozent', 'ust_satz'] as const) {
      grid = tab(grid, false)!
      expect(grid.cursor).toEqual({ row: 1, col: col(column) })
    }
    grid = tab(grid, false)!
    expect(grid.zeilen).toHaveLength(3)
    expect(grid.cursor).toEqual({ row: 2, col: col('bez') })
    expect(tab(at(grid, 2, 'ust_satz'), false)).toBeNull()
    expect(tab(at(grid, 0, 'art'), true)).toBeNull()
    expect(tab(at(grid, 1, 'art'), true)!.cursor).toEqual({ row: 0, col: col('bez') })
  })
})

describe('typing', () => {
  test('what is typed is the cell’s once it is left, written as everywhere', () => {
    const grid = enter(type(startEdit(at(lines('a', 'b'), 0, 'ep'), ''), '1234,5'))
    expect(grid.zeilen[0]!.ep).toBe('1.234,50')
    expect(grid.cursor).toEqual({ row: 1, col: col('ep') })
    expect(grid.edit).toBeNull()
  })
  test('Escape takes it back', () => {
    const grid = cancelEdit(type(startEdit(at(lines('a'), 0, 'bez')), 'neu'))
    expect(names(commit(grid))).toBe('a')
    expect(grid.past).toHaveLength(0)
  })
  test('what is no number stays as it was typed and says so', () => {
    const grid = commit(type(startEdit(at(lines('a'), 0, 'anzahl')), '12.5'))
    const [row] = grid.zeilen
    expect(row!.anzahl).toBe('12.5')
    expect(cellFault(row!, 'anzahl')).toBe('punkt')
    expect(positionBasis(row!).anzahl).toBe('0')
  })
  test('Enter below the last line begins a new one, below an empty one none', () => {
    const grown = enter(startEdit(at(lines('a'), 0, 'bez')))
    expect(grown.zeilen).toHaveLength(2)
    expect(enter(startEdit(grown)).zeilen).toHaveLength(2)
  })
  test('nr, amount and a heading’s price take nothing', () => {
    const grid = openGrid([emptyLine({ art: 'ueberschrift', bez: 'T' })])
    for (const column of ['nr', 'betrag', 'ep', 'anzahl'] as const)
      expect(startEdit(at(grid, 0, column)).edit).toBeNull()
  })
  test('a cell that did not change is no step back', () => {
    expect(commit(type(startEdit(at(lines('a'), 0, 'ep')), '10')).past).toHaveLength(0)
  })
  test('Delete empties the column of the chosen lines', () => {
    const grid = clearCell(extend(at(lines('a', 'b', 'c'), 0, 'ep'), 1))
    expect(grid.zeilen.map(({ ep }) => ep)).toEqual(['', '', '10,00'])
  })
})

describe('lines', () => {
  test('inserted, copied, removed, moved, alone and as a block', () => {
    expect(names(insertAt(lines('a', 'b'), 1, { bez: 'x' }))).toBe('a x b')
    const block = extend(at(lines('a', 'b', 'c', 'd'), 1, 'bez'), 1)
    expect(names(duplicateRows(block))).toBe('a b c b c d')
    expect(names(removeRows(block))).toBe('a d')
    const down = shiftRows(block, 1)
    expect(names(down)).toBe('a d b c')
    expect([down.cursor.row, down.anchor]).toEqual([3, 2])
    expect(names(shiftRows(down, 1))).toBe('a d b c')
    expect(names(shiftRows(shiftRows(down, -1), -1))).toBe('b c a d')
    expect(names(moveRows(block, 2))).toBe('a d b c')
    expect(names(moveRows(block, 0))).toBe('b c a d')
  })
  test('a copy is a line of its own', () => {
    const grid = duplicateRows(
      openGrid([emptyLine({ id: 7, bez: 'a', angebot_position_id: 3, gewaehlt: true })]),
    )
    expect(grid.zeilen[1]).toMatchObject({ id: null, angebot_position_id: null, gewaehlt: false, bez: 'a' })
    expect(grid.zeilen[1]!.key).not.toBe(grid.zeilen[0]!.key)
  })
  test('without lines there is an empty one to type into, which is not saved', () => {
    const none = openGrid([])
    expect(none.zeilen.map(isBlankLine)).toEqual([true])
    expect(printLines(none.zeilen)).toBe('[]')
    for (const act of [removeRows, clearCell, commit, chooseAll, undo, redo])
      expect(act(none).zeilen).toBe(none.zeilen)
    expect(copyText(none)).toBe('')
    expect(paste(none, 'a\nb').grid.zeilen.map(({ bez }) => bez)).toEqual(['a', 'b'])
  })
  test('whoever removes all gets an empty one, and all back by one step', () => {
    const all = lines('a', 'b')
    const none = removeRows(chooseAll(all))
    expect(none.zeilen.map(isBlankLine)).toEqual([true])
    expect(undo(none).zeilen).toBe(all.zeilen)
  })
  test('a further line takes an empty one that is there, instead of a second one', () => {
    const none = openGrid([])
    expect(addLine(none, 1).zeilen).toBe(none.zeilen)
    expect(addLine(none, 1, { art: 'ueberschrift' }).zeilen.map(({ art }) => art)).toEqual(['ueberschrift'])
    const grid = addLine(lines('a'), 1)
    expect([grid.zeilen.length, grid.cursor.row]).toEqual([2, 1])
    expect(addLine(grid, 2).zeilen.length).toBe(2)
  })
  test('removing the last one leaves the cursor on the new last one', () => {
    expect(removeRows(at(lines('a', 'b'), 1, 'bez')).cursor.row).toBe(0)
  })
})

describe('clipboard', () => {
  test('rows of a spreadsheet become lines; German numbers, signs of euro and per cent, cells with line ends', () => {
    const text =
      'Vermessung\t12,5\tha\t1.234,50 €\t5 %\t19 %\r\n"Gräben ""neu""\nmit Skizze"\t3\tStk\t80\t\t7\r\n'
    const { grid, lines: count, faulty } = paste(at(lines('a'), 0, 'bez'), text)
    expect([count, faulty]).toEqual([2, 0])
    expect(grid.zeilen).toHaveLength(2)
    expect(grid.zeilen[0]).toMatchObject({
      bez: 'Vermessung',
      anzahl: '12,5',
      einheit: 'ha',
      ep: '1.234,50',
      rabatt_prozent: '5',
      ust_satz: '19',
    })
    expect(grid.zeilen[1]).toMatchObject({
      bez: 'Gräben "neu"',
      erl: 'mit Skizze',
      anzahl: '3',
      ep: '80,00',
      ust_satz: '7',
    })
    expect([grid.cursor.row, grid.anchor]).toEqual([0, 1])
    expect(names(undo(grid))).toBe('a')
  })
  test('what does not fit is kept and counted', () => {
    const { grid, faulty } = paste(at(lines('a'), 0, 'bez'), 'x\tviele\tha\t12.5\tkein\t\t99,00\tFußnote')
    expect(faulty).toBe(3)
    expect(grid.zeilen[0]).toMatchObject({
      anzahl: 'viele',
      ep: '12.5',
      rabatt_prozent: 'kein',
      erl: 'Fußnote',
    })
  })
  test('headings of the table say what is where, and its lines come behind the others', () => {
    // With one unknown heading, the row counts as ordinary cells, and each of them needs correction.
    expect(paste(at(lines('a'), 0, 'anzahl'), 'Menge\tBezeichnung\tEinzelpreis\tBemerkung?').faulty).toBe(3)
    const named = paste(
      at(lines('a'), 0, 'anzahl'),
      'Pos.\tMenge\tBezeichnung\tE-Preis (€)\n1\t2\tx\t3,50\n2\t4\ty\t1',
    )
    expect(names(named.grid)).toBe('a x y')
    expect(named.grid.zeilen[1]).toMatchObject({ anzahl: '2', ep: '3,50' })
  })
  test('chosen lines come back as they were copied', () => {
    const grid = openGrid([
      emptyLine({ art: 'ueberschrift', bez: 'Titel' }),
      emptyLine({
        art: 'optional',
        bez: 'a "b"\tc',
        anzahl: '1,5',
        einheit: 'm²',
        ep: '2,00',
        rabatt_prozent: '3',
        ust_satz: '7',
      }),
    ])
    const text = copyText(chooseAll(grid))
    const { grid: copy } = paste(at(openGrid([emptyLine()]), 0, 'art'), text)
    expect(copy.zeilen.map(positionValues)).toEqual(grid.zeilen.map(positionValues))
  })
  test.each(['bez', 'anzahl', 'ust_satz'] as const)(
    'whole lines go into their own columns, also with the cursor in %s',
    (column) => {
      const text = copyText(chooseAll(lines('a', 'b')))
      const { grid } = paste(at(openGrid([emptyLine()]), 0, column), text)
      expect(grid.zeilen.map(positionValues)).toEqual(lines('a', 'b').zeilen.map(positionValues))
    },
  )
  test('a table of as many columns that names no kind begins at the cursor', () => {
    const { grid } = paste(at(openGrid([emptyLine()]), 0, 'bez'), 'a\t2\tha\t3\t\t\tb')
    expect(grid.zeilen[0]).toMatchObject({ art: 'position', bez: 'a', anzahl: '2' })
  })
  test('what is pasted over chosen lines begins at the first of them', () => {
    const chosen = extend(at(lines('a', 'b', 'c'), 1, 'bez'), 1)
    expect(names(paste(chosen, 'x\ny').grid)).toBe('a x y')
    expect(names(paste(extend(at(lines('a', 'b', 'c'), 2, 'bez'), -1), 'x\ny').grid)).toBe('a x y')
  })
  test('a mark that closes nowhere is a sign like others', () => {
    expect(parseTsv('24" Monitor\t"halb\nzwei')).toEqual([['24" Monitor', '"halb'], ['zwei']])
    expect(parseTsv('"Plan" neu\t1')).toEqual([['"Plan" neu', '1']])
  })
  test('any table survives copying', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', ' ', 'ä') })
    const wide = fc
      .integer({ min: 1, max: 4 })
      .chain((n) => fc.array(fc.array(cell, { minLength: n, maxLength: n }), { minLength: 1 }))
    fc.assert(
      fc.property(wide, (table) => {
        const last = table.at(-1)!
        // A single empty cell at the end is the trailing newline that spreadsheets write.
        fc.pre(!(last.length === 1 && last[0] === ''))
        expect(parseTsv(printTsv(table))).toEqual(table)
      }),
    )
  })
})

describe('back and forth', () => {
  const ACTS: readonly ((grid: Grid) => Grid)[] = [
    (grid) => insertAt(grid, grid.cursor.row, { bez: 'n' }),
    removeRows,
    duplicateRows,
    (grid) => shiftRows(grid, 1),
    (grid) => shiftRows(grid, -1),
    (grid) => extend(grid, 1),
    (grid) => move(grid, 1, 1),
    (grid) => commit(type(startEdit(grid), '3')),
    (grid) => setFields(grid, grid.cursor.row, { erl: 'Text' }),
    (grid) => paste(grid, 'x\t1\ny\t2').grid,
    clearCell,
  ]
  test('after any acts, all steps back give the lines of the beginning and all steps forth those of the end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ACTS), { maxLength: 40 }), (acts) => {
        const begin = lines('a', 'b', 'c')
        let grid = begin
        for (const act of acts) {
          grid = act(grid)
          expect(grid.cursor.row).toBeLessThanOrEqual(Math.max(0, grid.zeilen.length - 1))
          expect(new Set(grid.zeilen.map(({ key }) => key)).size).toBe(grid.zeilen.length)
        }
        const end = grid
        while (grid.past.length > 0) grid = undo(grid)
        expect(grid.zeilen).toEqual(begin.zeilen)
        while (grid.future.length > 0) grid = redo(grid)
        expect(grid.zeilen).toEqual(end.zeilen)
      }),
    )
  })
  test('while typing, back takes only what is typed', () => {
    const grid = undo(type(startEdit(at(insertAt(lines('a'), 1), 0, 'bez')), 'weg'))
    expect(grid.edit).toBeNull()
    expect(grid.zeilen).toHaveLength(2)
  })
})

describe('lines as they are kept', () => {
  const VALUES = {
    id: 5,
    art: 'alternativ',
    bez: 'Graben',
    anzahl: '1234.500',
    einheit: 'm',
    ep: '0.0125',
    rabatt_prozent: '0.00',
    ust_satz: null,
    kategorie: null,
    steuergrund: '',
    erl_titel: 'Hinweis',
    erl: 'zwei\nZeilen',
    erl_on: false,
    le_date: '2026-11-02',
    le_date_bis: null,
    angebot_position_id: 9,
    gewaehlt: true,
  } as const
  test('from the database and back', () => {
    expect(positionValues(rowOf(VALUES))).toEqual(VALUES)
    expect(rowOf(VALUES)).toMatchObject({
      anzahl: '1.234,5',
      ep: '0,0125',
      rabatt_prozent: '',
      le_date: '02.11.2026',
    })
  })
  test('as one text and back, without empty lines', () => {
    const rows: TableRow[] = [rowOf(VALUES), emptyLine(), emptyLine({ bez: 'x', ep: '12.5' })]
    const text = printLines(rows)
    const content = (row: TableRow) => ({ ...row, key: 0 })
    expect(parseLines(text).map(content)).toEqual([rows[0]!, rows[2]!].map(content))
    expect(printLines(parseLines(text))).toBe(text)
  })
  test('a broken text is no lines', () => {
    for (const text of ['', '{', '{}', 'null', '[1]']) expect(() => parseLines(text)).not.toThrow()
    expect(parseLines('[{"bez":5,"id":"x"}]')[0]).toMatchObject({ bez: '' })
  })
  test('lines that come anew keep their keys by place', () => {
    const grid = lines('a', 'b')
    expect(reload(grid, parseLines(printLines(grid.zeilen))).zeilen.map(({ key }) => key)).toEqual(
      grid.zeilen.map(({ key }) => key),
    )
  })
  test.each([
    ['anzahl', ' 1234,500 ', '1.234,5'],
    ['ep', '7', '7,00'],
    ['ep', '0,0001 €', '0,0001'],
    ['rabatt_prozent', '0', ''],
    ['ust_satz', '19 %', '19'],
    ['ep', '1.5', '1.5'],
    ['art', 'Überschrift', 'ueberschrift'],
  ] as const)('%s %j is written %j', (field, typed, written) => expect(tidyCell(field, typed)).toBe(written))
  test.each([
    ['anzahl', '', 'fehlt'],
    ['anzahl', 'x', 'zahl'],
    ['anzahl', '1,2345', 'stellen'],
    ['ep', '12345678901', 'gross'],
    ['rabatt_prozent', '101', 'prozent'],
    ['rabatt_prozent', '-100', null],
    ['rabatt_prozent', '-100,01', 'prozent'],
    ['art', 'quatsch', 'art'],
    ['le_date', '32.1.2026', 'tag'],
    ['bez', 'x'.repeat(501), 'zu_lang'],
    ['ep', '', null],
    ['ust_satz', '', null],
  ] as const)('%s %j: %s', (field, text, fault) =>
    expect(cellFault(emptyLine({ [field]: text }), field)).toBe(fault),
  )
  test('a heading has no numbers to be wrong', () =>
    expect(cellFault(emptyLine({ art: 'ueberschrift', anzahl: 'x' }), 'anzahl')).toBeNull())
  test('the last day of supply is not before the first', () =>
    expect(cellFault(emptyLine({ le_date: '2.1.2026', le_date_bis: '1.1.2026' }), 'le_date_bis')).toBe(
      'tag_reihenfolge',
    ))
})
