// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles */
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */
/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role */
/* oxlint-disable jsx-a11y/role-supports-aria-props */
// One line. Memoized, because a document may have five hundred of them.
import { memo } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { formatAmount } from '#domain/geld.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { t } from '../../../ui/text.ts'
import { CellInput } from './CellInput.tsx'
import { COLUMNS, type Column, commit, takeTemplate, type } from './grid.ts'
import { isNumberField, isPositionKind, lineFaults, type TableRow } from './line.ts'
import { cellFaultText, columnText, positionKindText } from './position-words.ts'
import { fieldsOfTemplate } from './templates.ts'
import type { Act } from './use-grid.ts'

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

/** Columns that nobody types into. */
const isComputed = (column: Column): column is 'nr' | 'betrag' => column === 'nr' || column === 'betrag'

const saidOf = (said: string, field: string): string | undefined =>
  said === ''
    ? undefined
    : said
        .split('\n')
        .find((line) => line.startsWith(`${field}\t`))
        ?.slice(field.length + 1)

function shownText(row: TableRow, column: Column, nr: string, amount: string, rate: string) {
  if (column === 'nr') return nr
  if (column === 'betrag') return amount === '' ? '' : formatAmount(amount)
  if (column === 'art') return isPositionKind(row.art) ? positionKindText(row.art) : row.art
  if (row.art === 'ueberschrift' && column !== 'bez') return ''
  if (column === 'ust_satz' && row.ust_satz === '') return <span className="soft">{rate}</span>
  return row[column]
}

const classes = (...names: readonly (string | false)[]): string =>
  names.filter((name) => name !== false).join(' ')

export const PositionRow = memo(function PositionRow(props: RowProps) {
  const { ref, index, start, zeile, row, active, chosen, drop } = props
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
      className={classes(
        'pos-row',
        zeile.art === 'ueberschrift' && 'pos-heading',
        (zeile.art === 'optional' || zeile.art === 'alternativ') && 'pos-aside',
        drop !== null && `pos-drop-${drop}`,
      )}
    >
      {COLUMNS.map((column, col) => {
        const fault = isComputed(column) ? undefined : faults[column]
        return (
          <Cell
            key={column}
            {...props}
            spalte={column}
            col={col}
            edit={col === active ? props.edit : null}
            isActive={col === active}
            message={fault && !isComputed(column) ? cellFaultText(fault, column) : saidOf(props.said, column)}
          />
        )
      })}
    </tr>
  )
})

interface CellProps extends Omit<RowProps, 'ref'> {
  spalte: Column
  col: number
  isActive: boolean
  message: string | undefined
}

function Cell(props: CellProps) {
  const { spalte, col, row, isActive, edit, message, gridId, zeile, nr, betrag, satz } = props
  const faultId = message ? `${gridId}-${row}-${spalte}` : undefined
  return (
    <td
      role="gridcell"
      className={classes(
        'pos-cell',
        `pos-${spalte}`,
        (isNumberField(spalte) || spalte === 'betrag') && 'cell-end',
        message !== undefined && 'pos-faulty',
        edit !== null && 'pos-editing',
      )}
      tabIndex={isActive && edit === null ? 0 : -1}
      data-cell={`${row}.${col}`}
      aria-colindex={col + 1}
      aria-readonly={isComputed(spalte) || undefined}
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
      {edit === null ? (
        <span className="pos-text">{shownText(zeile, spalte, nr, betrag, satz)}</span>
      ) : (
        <EditedCell {...props} edit={edit} faultId={faultId} />
      )}
      {spalte === 'bez' && <ExplanationButton {...props} />}
      {message && (
        <span id={faultId} className="pos-fault">
          {message}
        </span>
      )}
    </td>
  )
}

function EditedCell({
  spalte,
  row,
  nr,
  edit,
  templates,
  faultId,
  act,
}: CellProps & { edit: string; faultId: string | undefined }) {
  return (
    <CellInput
      spalte={spalte}
      label={t('{spalte}, Zeile {nr}', { spalte: columnText(spalte), nr })}
      text={edit}
      templates={templates}
      faulty={faultId}
      onText={(text) => act((grid) => type(grid, text))}
      onLeave={() => act(commit)}
      onUnit={(unit) => act((grid) => commit(type(grid, unit)))}
      onTemplate={(template) => act((grid) => takeTemplate(grid, row, fieldsOfTemplate(template)))}
    />
  )
}

function ExplanationButton({ zeile, nr, open, toggle }: Pick<CellProps, 'zeile' | 'nr' | 'open' | 'toggle'>) {
  const isFull = zeile.erl !== '' || zeile.erl_titel !== ''
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes('pos-more', isFull && 'pos-more-full')}
      aria-expanded={open}
      aria-label={t('Erläuterung zu {nr}', { nr })}
      title={t('Erläuterung (Alt+Enter)')}
      onClick={() => toggle(zeile.key)}
    >
      <Icon name={open ? 'chevronDown' : 'chevronRight'} size={14} />
    </button>
  )
}
