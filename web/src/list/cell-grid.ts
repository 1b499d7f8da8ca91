// The cells of a list that can be changed, in its document: marks them, moves the focus between them, and says
// when one is to be opened. The table itself knows nothing of it.
import { headsOf } from './head-drag.ts'

const CELL = 'td[data-cell]'
const INSIDE = 'a, button, input, select, label'

export interface GridActs {
  readonly begin: (cell: HTMLElement) => void
  readonly end: () => void
}

export const columnOf = (cell: HTMLElement): string => cell.dataset['cell'] ?? ''
export const rowOf = (cell: HTMLElement): string => cell.closest('tr')?.dataset['row'] ?? ''

function mark(card: HTMLElement, columns: readonly string[]) {
  const heads = new Map(
    headsOf(card).map((head) => [(head as HTMLTableCellElement).cellIndex, head.dataset['key']]),
  )
  for (const cell of card.querySelectorAll<HTMLTableCellElement>('tbody tr[data-row] > td')) {
    const key = heads.get(cell.cellIndex)
    if (key !== undefined && columns.includes(key)) {
      cell.dataset['cell'] = key
      if (cell.tabIndex !== 0) cell.tabIndex = -1
    } else delete cell.dataset['cell']
  }
  if (!card.querySelector(`${CELL}[tabindex="0"]`))
    card.querySelector<HTMLElement>(CELL)?.setAttribute('tabindex', '0')
}

/** Moves the one tab stop to this cell. */
export function focusCell(card: HTMLElement, cell: HTMLElement | null | undefined) {
  if (!cell) return
  for (const other of card.querySelectorAll<HTMLElement>(`${CELL}[tabindex="0"]`)) other.tabIndex = -1
  cell.tabIndex = 0
  cell.focus()
}

/** The cell beside this one; undefined at the edge or for other keys. */
export function besideCell(cell: HTMLElement, key: string): HTMLElement | undefined {
  const row = cell.closest('tr')
  const ofRow = [...(row?.querySelectorAll<HTMLElement>(CELL) ?? [])]
  const at = ofRow.indexOf(cell)
  const ofColumn = [
    ...(row?.closest('table')?.querySelectorAll<HTMLElement>(`td[data-cell="${columnOf(cell)}"]`) ?? []),
  ]
  const down = ofColumn.indexOf(cell)
  return {
    ArrowLeft: ofRow[at - 1],
    ArrowRight: ofRow[at + 1],
    ArrowUp: ofColumn[down - 1],
    ArrowDown: ofColumn[down + 1],
    Home: ofRow[0],
    End: ofRow.at(-1),
  }[key]
}

function onKey(card: HTMLElement, event: KeyboardEvent, { begin, end }: GridActs) {
  const { target, key } = event
  if (!(target instanceof HTMLElement) || !target.matches(CELL)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const beside = besideCell(target, key)
  if (key === 'Enter' || key === 'F2') begin(target)
  else if (key === 'Escape') end()
  else if (beside) focusCell(card, beside)
  else return
  event.preventDefault()
  event.stopPropagation()
}

/** Returns how to stop. */
export function watchCells(card: HTMLElement, columns: readonly string[], acts: GridActs): () => void {
  const table = card.querySelector('table')
  const ending = new AbortController()
  const { signal } = ending
  const cellAt = (target: EventTarget | null) =>
    target instanceof Element && !target.closest(INSIDE) ? target.closest<HTMLElement>(CELL) : null
  mark(card, columns)
  const watch = new MutationObserver(() => mark(card, columns))
  watch.observe(card, { childList: true, subtree: true })
  table?.setAttribute('role', 'grid')
  card.classList.add('cells-open')
  // A click chooses the cell and does not open the row.
  const onClick = (event: MouseEvent) => {
    const cell = cellAt(event.target)
    if (!cell) return
    event.stopPropagation()
    focusCell(card, cell)
  }
  card.addEventListener('click', onClick, { signal })
  card.addEventListener(
    'dblclick',
    ({ target }) => {
      const cell = cellAt(target)
      if (cell) acts.begin(cell)
    },
    { signal },
  )
  card.addEventListener('keydown', (event) => onKey(card, event, acts), { signal })
  return () => {
    ending.abort()
    watch.disconnect()
    table?.removeAttribute('role')
    card.classList.remove('cells-open')
    for (const cell of card.querySelectorAll<HTMLElement>(CELL)) {
      delete cell.dataset['cell']
      cell.removeAttribute('tabindex')
    }
  }
}
