// Table elements lose their semantics when laid out as a grid; the roles restore them.
/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/no-redundant-roles */
/* oxlint-disable jsx-a11y/no-noninteractive-element-to-interactive-role */
/* oxlint-disable jsx-a11y/no-interactive-element-to-noninteractive-role */
/* oxlint-disable jsx-a11y/role-supports-aria-props */
// The spreadsheet-like editor for document lines. The model is grid.ts; use-editor-*.ts connect keys, mouse,
// clipboard and focus to it.
import { useQuery } from '@tanstack/react-query'
import { memo, type ReactNode, type Ref, type RefObject, useCallback, useId, useMemo, useRef } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { decimal, formatGerman } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { t } from '../../../ui/text.ts'
import { addLine, COLUMNS, chosenRows, typedLine } from './grid.ts'
import { isBlankLine } from './line.ts'
import { PositionFoot } from './PositionFoot.tsx'
import { PositionRows } from './PositionRows.tsx'
import { PositionTools } from './PositionTools.tsx'
import { columnText } from './position-words.ts'
import './position.css'
import { textsByKey } from './saved-lines.ts'
import { useDrag } from './use-drag.ts'
import { useClipboard, useKeys, useMouse } from './use-editor-events.ts'
import { type EditorHandle, useEditorHandle, useExplanations, useFollow } from './use-editor-focus.ts'
import { type Act, useGrid } from './use-grid.ts'
import { type Head, type Live, useLive } from './use-live.ts'
import { useNews } from './use-news.ts'

const NONE: readonly PositionTemplate[] = []
export const templatesQuery = {
  queryKey: ['positionsvorlagen', 'kurz'],
  queryFn: ({ signal }: { signal: AbortSignal }) => rpc('a_get_position_tmpl', {}, { signal }),
  staleTime: 60_000,
}

interface Props {
  /** The lines as one string (printLines). */
  value: string
  onChange: (text: string) => void
  kopf: Head
  /** Faults from the check of the document, by index among the saved lines: field and text. */
  said: ReadonlyMap<number, string>
  /** Called with lines and sums as they are typed. */
  onLive: (live: Live) => void
  /** Rendered beside the buttons below the lines. */
  foot?: ReactNode
  ref?: Ref<EditorHandle>
}

interface Elements {
  readonly table: RefObject<HTMLTableElement | null>
  readonly scroller: RefObject<HTMLDivElement | null>
  /** What follows the lines. */
  readonly below: RefObject<HTMLButtonElement | null>
}

/** Everything the editor holds and does. */
function useEditor(
  { value, onChange, kopf, said, onLive, ref }: Props,
  { table, scroller, below }: Elements,
) {
  const control = useGrid(value, onChange)
  const { grid, act } = control
  const follow = useFollow(control, table)
  const [news, tell] = useNews(grid)
  const explanations = useExplanations(control, table, follow)
  useEditorHandle(ref, { control, table, follow, explanations })
  const { drop, ...dragging } = useDrag(control, scroller, follow.begin)
  const press = useCallback(
    (wanted: Act) => {
      follow.begin()
      act(wanted)
    },
    [act, follow],
  )
  const keys = useKeys(control, follow, {
    toggleExplanation: explanations.toggleHere,
    leave: () => below.current?.focus(),
  })
  return {
    grid,
    act,
    press,
    news,
    drop,
    explanations,
    subtotals: useLive(grid, kopf, onLive),
    saidByKey: useMemo(() => textsByKey(grid.zeilen, said), [grid.zeilen, said]),
    handlers: {
      ...keys,
      ...useClipboard(control, follow, tell),
      ...useMouse(control, follow),
      ...dragging,
    },
  }
}

/** Memoized: re-renders only for its own lines, not for other changes on the page. */
export const PositionEditor = memo(function PositionEditor(props: Props) {
  const { kopf, foot } = props
  const table = useRef<HTMLTableElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const below = useRef<HTMLButtonElement>(null)
  const editor = useEditor(props, { table, scroller, below })
  const { grid, press } = editor
  const gridId = useId()
  const [from, to] = chosenRows(grid)
  const isEmpty = grid.zeilen.every(isBlankLine)
  return (
    <div className="pos-editor">
      <PositionTools
        empty={isEmpty}
        isFirst={from === 0}
        isLast={to === grid.zeilen.length - 1}
        canUndo={grid.past.length > 0 || grid.edit !== null}
        canRedo={grid.future.length > 0}
        press={press}
      />
      {/* The frame only scrolls; everything interactive is in the grid. */}
      <div ref={scroller} className="pos-scroll">
        <GridTable ref={table} scroller={scroller} gridId={gridId} editor={editor} kopf={kopf} />
      </div>
      {isEmpty && (
        <p className="pos-empty soft">
          {t(
            'Noch keine Positionen: Tippen Sie in die leere Zeile, wählen Sie dabei eine Vorlage, oder fügen ' +
              'Sie Zeilen aus Excel ein.',
          )}
        </p>
      )}
      <PositionFoot
        addRef={below}
        helpId={`${gridId}-help`}
        news={editor.news}
        onAdd={() => press((now) => addLine(now, now.zeilen.length))}
      >
        {foot}
      </PositionFoot>
    </div>
  )
})

/** ARIA grid pattern: one tab stop, arrows inside, Escape leaves it. */
function GridTable({
  ref,
  scroller,
  gridId,
  editor: { grid, act, drop, explanations, saidByKey, subtotals, handlers },
  kopf,
}: {
  ref: Ref<HTMLTableElement>
  scroller: Elements['scroller']
  gridId: string
  editor: ReturnType<typeof useEditor>
  kopf: Head
}) {
  const templates = useQuery(templatesQuery).data ?? NONE
  const [from, to] = grid.anchor === null ? [-1, -1] : chosenRows(grid)
  const typed = useMemo(() => typedLine(grid), [grid])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <table
      ref={ref}
      role="grid"
      className="pos-grid"
      aria-label={t('Positionen')}
      aria-multiselectable="true"
      aria-rowcount={grid.zeilen.length + 1}
      aria-colcount={COLUMNS.length}
      aria-describedby={`${gridId}-help`}
      {...handlers}
    >
      <GridHead />
      <PositionRows
        zeilen={grid.zeilen}
        scroller={scroller}
        row={grid.cursor.row}
        col={grid.cursor.col}
        edit={grid.edit}
        typed={typed}
        from={from}
        to={to}
        drop={drop}
        openKeys={explanations.openKeys}
        saidByKey={saidByKey}
        subtotals={subtotals}
        satz={kopf.kleinunternehmer ? '0' : formatGerman(decimal(kopf.ust_satz))}
        gridId={gridId}
        templates={templates}
        act={act}
        toggle={explanations.toggle}
        closeExplanation={explanations.close}
      />
    </table>
  )
}

const GridHead = () => (
  <thead role="rowgroup">
    <tr role="row" aria-rowindex={1}>
      {COLUMNS.map((column, at) => (
        <th key={column} role="columnheader" scope="col" aria-colindex={at + 1}>
          {columnText(column)}
        </th>
      ))}
    </tr>
  </thead>
)
