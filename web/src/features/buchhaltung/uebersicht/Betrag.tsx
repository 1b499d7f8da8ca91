// An amount in a table of the overview: it leads to the list that it adds up.
import { formatEuro } from '#domain/geld.ts'
import type { ReactNode } from 'react'

/** Without a way, and where there is nothing, it is text. */
export function Betrag({ value, href }: { value: string; href?: string | undefined }) {
  if (/^-?0\.00$/.test(value)) return <td className="cell-end nums soft">{formatEuro(value)}</td>
  return (
    <td className={value.startsWith('-') ? 'cell-end nums buch-minus' : 'cell-end nums'}>
      {href === undefined ? formatEuro(value) : <a href={href}>{formatEuro(value)}</a>}
    </td>
  )
}

/** Scrolls sideways on narrow screens, so the keyboard must reach it. */
export const Tafel = ({ label, children }: { label: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
  <section className="table-scroll" aria-label={label} tabIndex={0}>
    <table className="table">
      <caption className="visually-hidden">{label}</caption>
      {children}
    </table>
  </section>
)
