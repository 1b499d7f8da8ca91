// A table of a few lines within a card or a window: no list, so nothing is sorted or chosen. Rows are the caller's.
import type { ReactNode } from 'react'
import './table.css'

/** Scrolls sideways where there is no room, so the keyboard must reach it. */
export const SmallTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <section className="table-scroll" aria-label={label} tabIndex={0}>
    <table className="table">
      <caption className="visually-hidden">{label}</caption>
      {children}
    </table>
  </section>
)

const FIRST: readonly number[] = [0]
/** Titles of the columns; amounts stand at the end, `left` are the places of those that are text. */
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
