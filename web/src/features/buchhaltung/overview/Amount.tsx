// An amount in a table of the overview, linked to the list whose rows it adds up.
import { formatEuro } from '#domain/geld.ts'

/** Plain text without a link or for zero. */
export function Amount({ value, href }: { value: string; href?: string | undefined }) {
  if (/^-?0\.00$/.test(value)) return <td className="cell-end nums soft">{formatEuro(value)}</td>
  return (
    <td className={value.startsWith('-') ? 'cell-end nums buch-minus' : 'cell-end nums'}>
      {href === undefined ? formatEuro(value) : <a href={href}>{formatEuro(value)}</a>}
    </td>
  )
}
