// Open bank entries with the invoices they probably pay. The main button of a row accepts the suggestion;
// Enter presses it, and the focus moves to the next row.
import { useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { Button } from '../../../ui/Button.tsx'
import { Segments } from '../../../ui/Choice.tsx'
import { ConfirmDialog, type ConfirmDialogProps } from '../../../ui/Dialog.tsx'
import { Card } from '../../../ui/Display.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import { formatDate } from '../../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import {
  countOf,
  type EntryView,
  entryAfter,
  MOST_AT_ONCE,
  numbersOf,
  type OpenEntry,
  type Rechnungen,
  shownEntries,
  sureOf,
} from './reconciliation.ts'
import { UmsatzRow } from './UmsatzRow.tsx'
import { type EntryActs, useEntryActs, useOpenEntries } from './use-reconciliation.ts'
import { type RowFocus, useRowFocus } from './use-row-focus.ts'

const MatchDialog = splitOff(async () => (await import('./MatchDialog.tsx')).MatchDialog)

const STEP = 50

export function Reconciliation() {
  const { entries, rechnungen, error, retry } = useOpenEntries()
  if (error !== null)
    return (
      <Card>
        <ErrorState error={error} onRetry={retry} />
      </Card>
    )
  if (entries === null)
    return (
      <Card>
        <Skeleton lines={8} />
      </Card>
    )
  if (entries.length === 0)
    return (
      <Card>
        <EmptyState icon="check" title={t('Alle Umsätze sind bearbeitet')}>
          {t('Neue kommen mit dem nächsten Kontoauszug.')}
        </EmptyState>
      </Card>
    )
  return <List entries={entries} rechnungen={rechnungen} />
}

function List({ entries, rechnungen }: { entries: readonly OpenEntry[]; rechnungen: Rechnungen }) {
  const [view, setView] = useState<EntryView>('alle')
  const [text, setText] = useState('')
  const [most, setMost] = useState(STEP)
  const [editing, setEditing] = useState<OpenEntry | null>(null)
  const [confirming, setConfirming] = useState(false)
  const shown = shownEntries(entries, view, text)
  const visible = shown.slice(0, most)
  const sure = shown.filter((entry) => sureOf(entry) !== null).slice(0, MOST_AT_ONCE)
  const focus = useRowFocus(visible.map(({ umsatz }) => umsatz.id))
  const acts = useEntryActs(rechnungen, ({ id }) => focus.focusNext(entryAfter(visible, id)))
  return (
    <Card
      title={t('Offene Umsätze')}
      actions={
        sure.length > 0 && (
          <Button variant="primary" onClick={() => setConfirming(true)}>
            {t('{n} sichere zuordnen …', { n: sure.length })}
          </Button>
        )
      }
    >
      <div className="stack">
        <div className="buch-bar">
          <ViewChoice entries={entries} view={view} onChoose={setView} />
          <SearchField label={t('Offene Umsätze suchen')} value={text} onValue={setText} />
        </div>
        <p className="soft">
          {t('Pfeiltasten wechseln die Zeile, Enter nimmt den Vorschlag an und geht weiter.')}
        </p>
        <Rows entries={visible} rechnungen={rechnungen} focus={focus} acts={acts} onEdit={setEditing} />
        {shown.length > most && (
          <Button onClick={() => setMost(most + STEP)}>
            {t('Weitere {n} zeigen', { n: Math.min(STEP, shown.length - most) })}
          </Button>
        )}
      </div>
      {editing && (
        <MatchDialog
          {...editing}
          rechnungen={rechnungen}
          onClose={() => setEditing(null)}
          onDone={(made) => {
            setEditing(null)
            acts.matched(editing.umsatz, made)
          }}
        />
      )}
      <AcceptSure
        open={confirming}
        sure={sure}
        rechnungen={rechnungen}
        busy={acts.isAccepting}
        onConfirm={() => acts.acceptAll(sure, () => setConfirming(false))}
        onCancel={() => setConfirming(false)}
      />
    </Card>
  )
}

interface RowsProps {
  entries: readonly OpenEntry[]
  rechnungen: Rechnungen
  focus: RowFocus
  acts: EntryActs
  onEdit: (entry: OpenEntry) => void
}

function Rows({ entries, rechnungen, focus, acts, onEdit }: RowsProps) {
  if (entries.length === 0) return <EmptyState icon="search" title={t('Kein Umsatz gefunden')} />
  return (
    // The keys are those of the buttons inside; the list itself is not interactive.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul className="bank-list" onKeyDown={focus.onKeyDown}>
      {entries.map((entry) => (
        <UmsatzRow
          key={entry.umsatz.id}
          entry={entry}
          rechnungen={rechnungen}
          busy={acts.busy}
          buttonRef={focus.buttonRef(entry.umsatz.id)}
          onAssign={() => (entry.ergebnis.suggestions.length === 0 ? onEdit(entry) : acts.assign(entry))}
          onEdit={() => onEdit(entry)}
          onAside={() => acts.setAside(entry.umsatz)}
        />
      ))}
    </ul>
  )
}

function ViewChoice({
  entries,
  view,
  onChoose,
}: {
  entries: readonly OpenEntry[]
  view: EntryView
  onChoose: (view: EntryView) => void
}) {
  const count = (one: EntryView) => countOf(entries, one)
  return (
    <Segments
      label={t('Welche Umsätze')}
      value={view}
      onChange={onChoose}
      options={[
        { value: 'alle', label: t('Alle ({n})', { n: count('alle') }) },
        { value: 'sicher', label: t('Sicher ({n})', { n: count('sicher') }) },
        { value: 'vorschlag', label: t('Zu prüfen ({n})', { n: count('vorschlag') }) },
        { value: 'ohne', label: t('Ohne Vorschlag ({n})', { n: count('ohne') }) },
      ]}
    />
  )
}

/** Accepts all sure suggestions that are shown, after a look at them. */
function AcceptSure({
  sure,
  rechnungen,
  ...dialog
}: Pick<ConfirmDialogProps, 'open' | 'busy' | 'onConfirm' | 'onCancel'> & {
  sure: readonly OpenEntry[]
  rechnungen: Rechnungen
}) {
  return (
    <ConfirmDialog
      {...dialog}
      title={sure.length === 1 ? t('1 Umsatz zuordnen?') : t('{n} Umsätze zuordnen?', { n: sure.length })}
      confirmLabel={t('Alle zuordnen')}
    >
      <p>
        {t(
          'Nummer oder bekanntes Konto und Betrag stimmen überein. Jede Zuordnung lässt sich später zurücknehmen.',
        )}
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <ul className="bank-sure" tabIndex={0} aria-label={t('Sichere Zuordnungen')}>
        {sure.map((entry) => (
          <li key={entry.umsatz.id}>
            <span>
              {formatDate(entry.umsatz.datum)} {entry.umsatz.name}
            </span>
            <strong className="nums">{formatEuro(entry.umsatz.rest)}</strong>
            <span>{numbersOf(sureOf(entry)!, rechnungen)}</span>
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
