// A table of a few rows within a card or dialog, without sorting or selection. The caller renders the rows.
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import './table.css'
import './small-table.css'

/** In pixels; a table that has more room scrolls within itself. */
const NARROW = 560

/**
 * Where a phone has no room for all columns, each row becomes a block that names its values; elsewhere it scrolls
 * horizontally, so it must be focusable for the keyboard.
 */
export function SmallTable({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return
    nameCells(current)
    fit(current)
  })
  useLayoutEffect(() => {
    const { current } = place
    if (!current) return
    let width = 0
    const watch = new ResizeObserver(() => {
      if (current.clientWidth === width) return
      width = current.clientWidth
      fit(current)
    })
    watch.observe(current)
    return () => watch.disconnect()
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className="table-scroll table-small" aria-label={label} tabIndex={0} ref={place}>
      <table className="table">
        <caption className="visually-hidden">{label}</caption>
        {children}
      </table>
    </section>
  )
}

function fit(place: HTMLElement): void {
  place.classList.remove('table-small-blocks')
  const { clientWidth, scrollWidth } = place
  if (clientWidth > 0 && clientWidth < NARROW && scrollWidth > clientWidth)
    place.classList.add('table-small-blocks')
}

/**
 * Gives each value the title of its column, which a block shows beside it, or above one of several parts: a text
 * with its explanation.
 */
function nameCells(place: HTMLElement): void {
  const heads = [...place.querySelectorAll<HTMLTableRowElement>('thead tr')].at(-1)
  const titles = [...(heads?.cells ?? [])].flatMap(({ colSpan, textContent }) =>
    Array.from({ length: colSpan }, () => textContent.trim()),
  )
  for (const row of place.querySelectorAll<HTMLTableRowElement>('tbody tr, tfoot tr')) {
    let column = 0
    for (const cell of row.cells) {
      // What spans several columns is under none of them.
      const title = cell.colSpan === 1 ? (titles[column] ?? '') : ''
      if (title === '') delete cell.dataset['title']
      else cell.dataset['title'] = title
      cell.toggleAttribute('data-parts', cell.children.length > 0 && cell.childNodes.length > 1)
      column += cell.colSpan
    }
  }
}

const FIRST: readonly number[] = [0]
/** Column titles. They are right-aligned, as for amounts, except at the indexes in `left`. */
export const HeadRow = ({
  titles,
  left = FIRST,
}: {
  titles: readonly string[]
  left?: readonly number[]
}) => (
  <thead>
    <tr>
      {titles.map((title, at) => (
        <th key={title} scope="col" className={left.includes(at) ? undefined : 'cell-end'}>
          {title}
        </th>
      ))}
    </tr>
  </thead>
)
