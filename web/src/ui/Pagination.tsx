// Pagination of a list: position, navigation, page size.
import './button.css'
import { formatNumber } from './format.ts'
import { Icon } from './Icon.tsx'
import './pagination.css'
import { t } from './text.ts'

export const PAGE_SIZES = [25, 50, 100] as const

export interface PaginationProps {
  /** Page number, from 1. */
  page: number
  pageSize: number
  /** Null while unknown. */
  total: number | null
  /** Number of rows on this page; indicates whether there may be a next one if the total is unknown. */
  shown: number
  /** Number of the first row, from 1, while the previous page's rows are still shown. */
  first?: number
  onPage: (page: number) => void
  onPageSize?: (size: number) => void
}

export function Pagination({
  page,
  pageSize,
  total,
  shown,
  first = (page - 1) * pageSize + 1,
  onPage,
  onPageSize,
}: PaginationProps) {
  const pages = total === null ? null : Math.max(1, Math.ceil(total / pageSize))
  const more = pages === null ? shown === pageSize : page < pages
  return (
    <nav className="pagination" aria-label={t('Seiten')}>
      {onPageSize && (
        <label className="pagination-size">
          <span>{t('Zeilen je Seite')}</span>
          <select
            className="input"
            value={pageSize}
            onChange={(event) => onPageSize(Number(event.target.value))}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size} value={size}>
                {size}
              </option>
            ))}
          </select>
        </label>
      )}
      <output className="pagination-range nums">{placeText(first, shown, total)}</output>
      <span className="pagination-buttons">
        <Turn icon="first" label={t('Erste Seite')} to={page > 1 && 1} onPage={onPage} />
        <Turn icon="chevronLeft" label={t('Vorherige Seite')} to={page > 1 && page - 1} onPage={onPage} />
        <Turn icon="chevronRight" label={t('Nächste Seite')} to={more && page + 1} onPage={onPage} />
        {pages !== null && (
          <Turn icon="last" label={t('Letzte Seite')} to={page < pages && pages} onPage={onPage} />
        )}
      </span>
    </nav>
  )
}

interface TurnProps extends Pick<PaginationProps, 'onPage'> {
  icon: 'first' | 'chevronLeft' | 'chevronRight' | 'last'
  label: string
  /** False: there is no such page. */
  to: number | false
}
/** Keeps the focus when the last page is reached: a disabled button would lose it. */
const Turn = ({ icon, label, to, onPage }: TurnProps) => (
  <button
    type="button"
    className="button button-quiet button-icon"
    aria-label={label}
    title={label}
    aria-disabled={to === false}
    onClick={() => to !== false && onPage(to)}
  >
    <Icon name={icon} />
  </button>
)

/**
 * The current position. For a page that does not exist (rows were deleted, or a wrong address) just the
 * total.
 */
function placeText(first: number, shown: number, total: number | null): string {
  const numbers = { from: formatNumber(first), to: formatNumber(first + shown - 1) }
  if (total === null) return shown === 0 ? '' : t('{from}–{to}', numbers)
  return shown === 0
    ? t('0 von {total}', { total: formatNumber(total) })
    : t('{from}–{to} von {total}', { ...numbers, total: formatNumber(total) })
}
