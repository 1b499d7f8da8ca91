// The buttons above the lines. Re-renders only when one of them is enabled or disabled.
import { memo } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'
import { addLine, chosenRows, duplicateRows, type Grid, redo, removeRows, shiftRows, undo } from './grid.ts'
import type { Act } from './use-grid.ts'
import type { TableRow } from './line.ts'

interface Props {
  empty: boolean
  isFirst: boolean
  isLast: boolean
  canUndo: boolean
  canRedo: boolean
  press: (act: Act) => void
}
const insert = (given?: Partial<TableRow>) => (grid: Grid) => addLine(grid, chosenRows(grid)[1] + 1, given)

export const PositionTools = memo(function PositionTools({
  empty,
  isFirst,
  isLast,
  canUndo,
  canRedo,
  press,
}: Props) {
  return (
    <fieldset className="pos-tools" aria-label={t('Positionen bearbeiten')}>
      <Button size="small" icon="plus" onClick={() => press(insert())}>
        {t('Position')}
      </Button>
      <Button size="small" icon="plus" onClick={() => press(insert({ art: 'ueberschrift' }))}>
        {t('Überschrift')}
      </Button>
      <Button size="small" disabled={empty} onClick={() => press(duplicateRows)}>
        {t('Duplizieren')}
      </Button>
      <Button size="small" icon="trash" disabled={empty} onClick={() => press(removeRows)}>
        {t('Löschen')}
      </Button>
      <Button
        size="small"
        icon="sortUp"
        disabled={isFirst}
        onClick={() => press((now) => shiftRows(now, -1))}
      >
        {t('Nach oben')}
      </Button>
      <Button
        size="small"
        icon="sortDown"
        disabled={isLast}
        onClick={() => press((now) => shiftRows(now, 1))}
      >
        {t('Nach unten')}
      </Button>
      <Button size="small" disabled={!canUndo} onClick={() => press(undo)}>
        {t('Rückgängig')}
      </Button>
      <Button size="small" disabled={!canRedo} onClick={() => press(redo)}>
        {t('Wiederholen')}
      </Button>
    </fieldset>
  )
})
