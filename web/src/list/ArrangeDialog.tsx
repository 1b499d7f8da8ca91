// Order and widths of the columns by buttons, for fingers and the keyboard; with the mouse the head of the table
// does the same.
import { Button, IconButton } from '../ui/Button.tsx'
import { arranged, keyOfEntry } from '../ui/column-choice.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { t } from '../ui/text.ts'
import { type Arrangement, moveColumn, NARROWEST, setWidth, widthIn, WIDTH_STEP } from './arrange-columns.ts'
import './arrange.css'

/** Of a column that has been as wide as its content until now. */
const FIRST_WIDTH = 160

export function ArrangeDialog<Row>({
  columns,
  entries: chosen,
  isChosen,
  onChange,
  onClose,
}: Arrangement<Row> & { onClose: () => void }) {
  const shown = arranged(columns, chosen)
  const entries = shown.map(({ key }) => chosen.find((entry) => keyOfEntry(entry) === key) ?? key)
  return (
    <Dialog
      open
      title={t('Reihenfolge und Breite der Spalten')}
      onClose={onClose}
      footer={
        <>
          <Button disabled={!isChosen} onClick={() => onChange(undefined)}>
            {t('Standard wiederherstellen')}
          </Button>
          <Button variant="primary" data-autofocus onClick={onClose}>
            {t('Fertig')}
          </Button>
        </>
      }
    >
      <p className="soft">
        {t('Mit der Maus geht das auch in der Tabelle: Spaltenkopf oder den Rand dazwischen ziehen.')}
      </p>
      <ol className="arrange">
        {shown.map(({ key, title }, at) => (
          <li key={key}>
            <span className="arrange-name">{title}</span>
            <Place
              title={title}
              at={at}
              last={shown.length - 1}
              onMove={(to) => onChange(moveColumn(entries, key, to))}
            />
            <Width
              title={title}
              width={widthIn(entries, key)}
              onWidth={(width) => onChange(setWidth(entries, key, width))}
            />
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function Place({
  title,
  at,
  last,
  onMove,
}: {
  title: string
  at: number
  last: number
  onMove: (to: number) => void
}) {
  return (
    <span className="arrange-buttons">
      <IconButton
        icon="sortUp"
        label={t('{title} nach vorn', { title })}
        disabled={at <= 1}
        onClick={() => onMove(at - 1)}
      />
      <IconButton
        icon="sortDown"
        label={t('{title} nach hinten', { title })}
        disabled={at === 0 || at === last}
        onClick={() => onMove(at + 1)}
      />
    </span>
  )
}

function Width({
  title,
  width,
  onWidth,
}: {
  title: string
  width: number | undefined
  onWidth: (width: number | undefined) => void
}) {
  const present = width ?? FIRST_WIDTH
  return (
    <span className="arrange-buttons">
      <IconButton
        icon="minus"
        label={t('{title} schmaler', { title })}
        disabled={present <= NARROWEST}
        onClick={() => onWidth(present - WIDTH_STEP)}
      />
      <output className="arrange-width nums">
        {width === undefined ? t('nach Inhalt') : t('{n} Pixel', { n: width })}
      </output>
      <IconButton
        icon="plus"
        label={t('{title} breiter', { title })}
        onClick={() => onWidth(present + WIDTH_STEP)}
      />
      <IconButton
        icon="refresh"
        label={t('{title}: Breite nach Inhalt', { title })}
        disabled={width === undefined}
        onClick={() => onWidth(undefined)}
      />
    </span>
  )
}
