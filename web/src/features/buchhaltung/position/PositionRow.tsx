// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles, jsx-a11y/no-noninteractive-element-to-interactive-role, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/role-supports-aria-props */
// One line. Memoized, because a document may have five hundred of them.
import { memo } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { formatAmount } from '#domain/geld.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { t } from '../../../ui/text.ts'
import { CellInput } from './CellInput.tsx'
import { commit, COLUMNS, type Column, takeTemplate, type } from './grid.ts'
import { positionKindText, columnText, cellFaultText } from './position-words.ts'
import type { Act } from './use-grid.ts'
import { fieldsOfTemplate } from './templates.ts'
import { isPositionKind, isNumberField, type TableRow, lineFaults } from './line.ts'

export interface RowProps {
  /**
   * Only for long documents: `ref` measures the line, `index` is its virtual index, `start` its offset in
   * pixels.
   */
  ref: ((line: Element | null) => void) | undefined
  index: number | undefined
  start: number | null
  zeile: TableRow
  row: number
  nr: string
  /** Decimal string; empty while unknown. */
  betrag: string
  /** Column of the cursor; -1 if it is in another line. */
  active: number
  /** Text being typed into the active cell. */
  edit: string | null
  chosen: boolean
  open: boolean
  /** Where dragged lines would go, relative to this one. */
  drop: 'above' | 'below' | null
  /** Faults from the check of the document: field and text, one per line. */
  said: string
  /** The document's rate, shown in empty cells. */
  satz: string
  gridId: string
  templates: readonly PositionTemplate[]
  act: (act: Act) => void
  toggle: (key: number) => void
}

const saidOf = (said: string, field: string): string | undefined =>
  said === ''
    ? undefined
    : said
        .split('\n')
        .find((line) => line.startsWith(`${field}\t`))
        ?.slice(field.length + 1)

function shownText(zeile: TableRow, spalte: Column, nr: string, betrag: string, satz: string) {
  if (spalte === 'nr') return nr
  if (spalte === 'betrag') return betrag === '' ? '' : formatAmount(betrag)
  if (spalte === 'art') return isPositionKind(zeile.art) ? positionKindText(zeile.art) : zeile.art
  if (zeile.art === 'ueberschrift' && spalte !== 'bez') return ''
  if (spalte === 'ust_satz' && zeile.ust_satz === '') return <span className="soft">{satz}</span>
  return zeile[spalte]
}

export const PositionRow = memo(function PositionRow(props: RowProps) {
  const {
    ref,
    index,
    start,
    zeile,
    row,
    nr,
    betrag,
    active,
    edit,
    chosen,
    open,
    drop,
    said,
    satz,
    gridId,
    templates,
    act,
    toggle,
  } = props
  const faults = lineFaults(zeile)
  return (
    <tr
      role="row"
      ref={ref}
      data-index={index}
      data-row={row}
      style={start === null ? undefined : { transform: `translateY(${start}px)` }}
      aria-rowindex={row + 2}
      aria-selected={chosen}
      className={`pos-row${zeile.art === 'ueberschrift' ? ' pos-heading' : ''}${zeile.art === 'optional' || zeile.art === 'alternativ' ? ' pos-aside' : ''}${drop === null ? '' : ` pos-drop-${drop}`}`}
    >
      {COLUMNS.map((spalte, col) => {
        const isActive = col === active
        const fault = spalte === 'nr' || spalte === 'betrag' ? undefined : faults[spalte]
        const message =
          fault && spalte !== 'nr' && spalte !== 'betrag'
            ? cellFaultText(fault, spalte)
            : saidOf(said, spalte)
        const faultId = message ? `${gridId}-${row}-${spalte}` : undefined
        const className = `pos-cell pos-${spalte}${isNumberField(spalte) || spalte === 'betrag' ? ' cell-end' : ''}${message ? ' pos-faulty' : ''}${isActive && edit !== null ? ' pos-editing' : ''}`
        return (
          <td
            key={spalte}
            role="gridcell"
            className={className}
            tabIndex={isActive && edit === null ? 0 : -1}
            data-cell={`${row}.${col}`}
            aria-colindex={col + 1}
            aria-readonly={spalte === 'nr' || spalte === 'betrag' || undefined}
            aria-invalid={message ? true : undefined}
            aria-describedby={faultId}
          >
            {spalte === 'nr' && (
              <span
                className="pos-grip"
                data-grip
                title={t('Ziehen, um die Zeile zu verschieben')}
                aria-hidden="true"
              />
            )}
            {isActive && edit !== null ? (
              <CellInput
                spalte={spalte}
                label={t('{spalte}, Zeile {nr}', { spalte: columnText(spalte), nr })}
                text={edit}
                units={`${gridId}-einheiten`}
                templates={templates}
                faulty={faultId}
                onText={(text) => act((grid) => type(grid, text))}
                onLeave={() => act(commit)}
                onTemplate={(template) => act((grid) => takeTemplate(grid, row, fieldsOfTemplate(template)))}
              />
            ) : (
              <span className="pos-text">{shownText(zeile, spalte, nr, betrag, satz)}</span>
            )}
            {spalte === 'bez' && (
              <button
                type="button"
                tabIndex={-1}
                className={`pos-more${zeile.erl !== '' || zeile.erl_titel !== '' ? ' pos-more-full' : ''}`}
                aria-expanded={open}
                aria-label={t('Erläuterung zu {nr}', { nr })}
                title={t('Erläuterung (Alt+Eingabe)')}
                onClick={() => toggle(zeile.key)}
              >
                <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
              </button>
            )}
            {message && (
              <span id={faultId} className="pos-fault">
                {message}
              </span>
            )}
          </td>
        )
      })}
    </tr>
  )
})
