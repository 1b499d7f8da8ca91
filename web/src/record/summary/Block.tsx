// A block of a summary: its newest rows, how many there are, and the way to all of them.
import type { ReactNode } from 'react'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import './summary.css'

interface Props {
  title: string
  /** How many there are in all. */
  count?: number | undefined
  /** Address of the whole list; undefined if this person has no page for it. */
  all?: string | undefined
  /** What the link to it says, if not "show all". */
  allText?: string
  /** Another page about the same, beside it. */
  also?: { readonly href: string; readonly text: string } | undefined
  /** Shown instead of rows where there are none, with the next step. */
  empty: string
  next?: ReactNode
  children: readonly ReactNode[]
}

export function Block({
  title,
  count,
  all,
  allText = t('Alle anzeigen'),
  also,
  empty,
  next,
  children,
}: Props) {
  const some = children.length > 0
  return (
    <Card
      title={
        <>
          {title}{' '}
          {count !== undefined && count > 0 && <span className="tab-count nums">{formatNumber(count)}</span>}
        </>
      }
      actions={
        some && (
          <>
            {also && <a href={also.href}>{also.text}</a>}
            {all !== undefined && (
              <a href={all} aria-label={`${title}: ${allText}`}>
                {allText}
              </a>
            )}
          </>
        )
      }
    >
      {some ? (
        <ul className="summary-rows">{children}</ul>
      ) : (
        <div className="summary-empty">
          <p className="soft">{empty}</p>
          {next}
        </div>
      )}
    </Card>
  )
}

interface RowProps {
  /** Where the row leads; without it the name is plain text. */
  href?: string | undefined
  name: ReactNode
  /** Badges beside the name. */
  badges?: ReactNode
  /** At the end of the first line, such as an amount. */
  value?: ReactNode
  /** Below, in smaller type; `moreValue` at its end. */
  more?: ReactNode
  moreValue?: ReactNode
}

export const Row = ({ href, name, badges, value, more, moreValue }: RowProps) => (
  <li className="summary-row">
    <span className="summary-name">
      {href === undefined ? name : <a href={href}>{name}</a>} {badges}
    </span>
    {value !== undefined && <span className="summary-value nums">{value}</span>}
    {more !== undefined && <span className="summary-more soft">{more}</span>}
    {moreValue !== undefined && <span className="summary-more-value soft nums">{moreValue}</span>}
  </li>
)
