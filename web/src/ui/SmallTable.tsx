// A table of a few rows within a card or dialog, without sorting or selection. The caller renders the rows.
import type { ReactNode } from 'react'
import './table.css'

/** Scrolls horizontally if there is not enough room, so it must be focusable for the keyboard. */
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
