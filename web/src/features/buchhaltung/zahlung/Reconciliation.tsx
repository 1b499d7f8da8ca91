// Open bank entries with the invoices they probably pay. The main button of a row accepts the suggestion;
// Enter presses it, and the focus moves to the next row.
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import { add, decimal, formatEuro, negateText, sign, sum } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { type Reconciliation as Result, reconcile, type Suggestion } from '#domain/zahlung-reconciliation.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Segments } from '../../../ui/Choice.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { Badge, Card, DateText } from '../../../ui/Display.tsx'
import { SearchField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { reasonText, isDoubt } from './reconciliation-words.ts'
import {
  reconciliationQuery,
  putAway,
  undoMatch,
  openQuery,
  matchAll,
  useBankAct,
  useTakeAway,
} from './bank.data.ts'

const MatchDialog = splitOff(async () => (await import('./MatchDialog.tsx')).MatchDialog)

const STEP = 50
/** Maximum per call. */
const MOST_AT_ONCE = 500
const VIEWS = ['alle', 'sicher', 'vorschlag', 'ohne'] as const
type TreeView = (typeof VIEWS)[number]

interface TableRow {
  readonly umsatz: BankUmsatz
  readonly ergebnis: Result
}
const sureOf = ({ ergebnis }: TableRow): Suggestion | null =>
  ergebnis.suggestions[0]?.sicher === true ? ergebnis.suggestions[0] : null
const fitsView: Readonly<Record<TreeView, (zeile: TableRow) => boolean>> = {
  alle: () => true,
  sicher: (zeile) => sureOf(zeile) !== null,
  vorschlag: (zeile) => zeile.ergebnis.suggestions.length > 0 && sureOf(zeile) === null,
  ohne: (zeile) => zeile.ergebnis.suggestions.length === 0,
}

export function Reconciliation() {
  const open = useQuery(openQuery)
  const data = useQuery(reconciliationQuery)
  const entries = open.data
  const zeilen = useMemo<readonly TableRow[] | null>(() => {
    if (entries === undefined || data.data === undefined) return null
    const results = reconcile(entries, data.data)
    return entries.map((umsatz, index) => ({ umsatz, ergebnis: results[index]! }))
  }, [entries, data.data])
  const rechnungen = useMemo(
    () => new Map((data.data?.rechnungen ?? []).map((one) => [one.rechnung_id, one])),
    [data.data],
  )
  const failed = [open, data].find(({ isError, data: known }) => isError && known === undefined)
  if (failed)
    return (
      <Card>
        <ErrorState
          error={failed.error}
          onRetry={() => {
            void open.refetch()
            void data.refetch()
          }}
        />
      </Card>
    )
  if (zeilen === null)
    return (
      <Card>
        <Skeleton lines={8} />
      </Card>
    )
  if (zeilen.length === 0)
    return (
      <Card>
        <EmptyState icon="check" title={t('Alle Umsätze sind bearbeitet')}>
          {t('Neue kommen mit dem nächsten Kontoauszug.')}
        </EmptyState>
      </Card>
    )
  return <List zeilen={zeilen} rechnungen={rechnungen} />
}

type Rechnungen = ReadonlyMap<number, BankRechnung>

function List({ zeilen, rechnungen }: { zeilen: readonly TableRow[]; rechnungen: Rechnungen }) {
  const [treeView, setView] = useState<TreeView>('alle')
  const [text, setText] = useState('')
  const [most, setMost] = useState(STEP)
  const [editing, setEditing] = useState<TableRow | null>(null)
  const [confirming, setConfirming] = useState(false)
  const buttons = useRef(new Map<number, HTMLButtonElement>())
  const next = useRef<number | null>(null)
  const takeAway = useTakeAway()
  const accept = useBankAct(matchAll)
  const putAside = useBankAct(({ id, erledigt }: { id: number; erledigt: boolean }) => putAway(id, erledigt))
  const undo = useBankAct((id: number) => undoMatch(id, t('Zuordnung rückgängig gemacht')))

  const wanted = text.trim().toLowerCase()
  const shown = zeilen.filter(
    (zeile) =>
      fitsView[treeView](zeile) &&
      (wanted === '' ||
        `${zeile.umsatz.name} ${zeile.umsatz.zweck} ${zeile.umsatz.betrag.replace('.', ',')}`
          .toLowerCase()
          .includes(wanted)),
  )
  const visible = shown.slice(0, most)
  const sure = shown.filter((zeile) => sureOf(zeile) !== null)
  const count = (one: TreeView) => zeilen.filter(fitsView[one]).length

  // The completed row is gone; the one after it takes the focus.
  useEffect(() => {
    if (next.current === null) return
    buttons.current.get(next.current)?.focus()
    next.current = null
  })
  const after = (id: number): number | null => {
    const at = visible.findIndex(({ umsatz }) => umsatz.id === id)
    return (visible[at + 1] ?? visible[at - 1])?.umsatz.id ?? null
  }
  const failed = (error: unknown) => toast.error(messageOf(error))
  function done(umsatz: BankUmsatz, message: string, back: () => Promise<unknown>, isGone = true) {
    next.current = after(umsatz.id)
    if (isGone) takeAway(new Set([umsatz.id]))
    toast.undo(message, () => back().catch(failed))
  }
  function assign(zeile: TableRow) {
    const [vorschlag] = zeile.ergebnis.suggestions
    if (vorschlag === undefined) return setEditing(zeile)
    if (accept.isPending) return
    const { umsatz } = zeile
    accept.mutate(
      vorschlag.zuordnungen.map((one) => ({ ...one, umsatz_id: umsatz.id })),
      {
        onSuccess: () =>
          done(
            umsatz,
            t('{betrag} zugeordnet: {nummern}', {
              betrag: formatEuro(umsatz.rest),
              nummern: numbersOf(vorschlag, rechnungen),
            }),
            () => undo.mutateAsync(umsatz.id),
            restOf(umsatz, vorschlag).wert === 0n,
          ),
        onError: failed,
      },
    )
  }
  const setAside = (umsatz: BankUmsatz) =>
    putAside.mutate(
      { id: umsatz.id, erledigt: true },
      {
        onSuccess: () =>
          done(umsatz, t('{betrag} gehört nicht hierher.', { betrag: formatEuro(umsatz.rest) }), () =>
            putAside.mutateAsync({ id: umsatz.id, erledigt: false }),
          ),
        onError: failed,
      },
    )
  function acceptAll() {
    const some = sure.slice(0, MOST_AT_ONCE)
    accept.mutate(
      some.flatMap((zeile) =>
        sureOf(zeile)!.zuordnungen.map((one) => ({ ...one, umsatz_id: zeile.umsatz.id })),
      ),
      {
        onSuccess: () => {
          takeAway(new Set(some.map(({ umsatz }) => umsatz.id)))
          toast.success(t('{n} Umsätze sind zugeordnet.', { n: some.length }))
        },
        onError: failed,
        onSettled: () => setConfirming(false),
      },
    )
  }
  const move = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const at = visible.findIndex(
      ({ umsatz }) =>
        buttons.current.get(umsatz.id)?.closest('li')?.contains(document.activeElement) === true,
    )
    if (at < 0) return
    const to = visible[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (to === undefined) return
    event.preventDefault()
    buttons.current.get(to.umsatz.id)?.focus()
  }
  return (
    <Card
      title={t('Offene Umsätze')}
      actions={
        sure.length > 0 && (
          <Button variant="primary" onClick={() => setConfirming(true)}>
            {t('{n} sichere zuordnen …', { n: Math.min(sure.length, MOST_AT_ONCE) })}
          </Button>
        )
      }
    >
      <div className="stack">
        <div className="buch-bar">
          <Segments
            label={t('Welche Umsätze')}
            value={treeView}
            onChange={setView}
            options={[
              { value: 'alle', label: t('Alle ({n})', { n: zeilen.length }) },
              { value: 'sicher', label: t('Sicher ({n})', { n: count('sicher') }) },
              { value: 'vorschlag', label: t('Zu prüfen ({n})', { n: count('vorschlag') }) },
              { value: 'ohne', label: t('Ohne Vorschlag ({n})', { n: count('ohne') }) },
            ]}
          />
          <SearchField label={t('Offene Umsätze suchen')} value={text} onValue={setText} />
        </div>
        <p className="soft">
          {t('Pfeiltasten wechseln die Zeile, die Eingabetaste nimmt den Vorschlag an und geht weiter.')}
        </p>
        {visible.length === 0 ? (
          <EmptyState icon="search" title={t('Kein Umsatz gefunden')} />
        ) : (
          // The keys are those of the buttons inside; the list itself is not interactive.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
          <ul className="bank-list" onKeyDown={move}>
            {visible.map((zeile) => (
              <UmsatzRow
                key={zeile.umsatz.id}
                zeile={zeile}
                rechnungen={rechnungen}
                busy={accept.isPending || putAside.isPending}
                buttonRef={(button) => {
                  if (button) buttons.current.set(zeile.umsatz.id, button)
                  else buttons.current.delete(zeile.umsatz.id)
                }}
                onAssign={() => assign(zeile)}
                onEdit={() => setEditing(zeile)}
                onAside={() => setAside(zeile.umsatz)}
              />
            ))}
          </ul>
        )}
        {shown.length > most && (
          <Button onClick={() => setMost(most + STEP)}>
            {t('Weitere {n} zeigen', { n: Math.min(STEP, shown.length - most) })}
          </Button>
        )}
      </div>
      {editing && (
        <MatchDialog
          umsatz={editing.umsatz}
          ergebnis={editing.ergebnis}
          rechnungen={rechnungen}
          onClose={() => setEditing(null)}
          onDone={(isGone, nummern) => {
            const { umsatz } = editing
            setEditing(null)
            done(
              umsatz,
              t('{betrag} zugeordnet: {nummern}', { betrag: formatEuro(umsatz.rest), nummern }),
              () => undo.mutateAsync(umsatz.id),
              isGone,
            )
          }}
        />
      )}
      <ConfirmDialog
        open={confirming}
        title={t('{n} Umsätze zuordnen?', { n: Math.min(sure.length, MOST_AT_ONCE) })}
        confirmLabel={t('Alle zuordnen')}
        busy={accept.isPending}
        onConfirm={acceptAll}
        onCancel={() => setConfirming(false)}
      >
        <p>
          {t(
            'Nummer oder bekanntes Konto und Betrag stimmen überein. Jede Zuordnung lässt sich später zurücknehmen.',
          )}
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <ul className="bank-sure" tabIndex={0} aria-label={t('Sichere Zuordnungen')}>
          {sure.slice(0, MOST_AT_ONCE).map((zeile) => (
            <li key={zeile.umsatz.id}>
              <span>
                {formatDate(zeile.umsatz.datum)} {zeile.umsatz.name}
              </span>
              <strong className="nums">{formatEuro(zeile.umsatz.rest)}</strong>
              <span>{numbersOf(sureOf(zeile)!, rechnungen)}</span>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </Card>
  )
}

const numbersOf = ({ zuordnungen }: Suggestion, rechnungen: Rechnungen): string =>
  zuordnungen.map(({ rechnung_id }) => rechnungen.get(rechnung_id)?.nummer ?? String(rechnung_id)).join(', ')
/** What the suggestion leaves of the entry. */
const restOf = ({ rest }: BankUmsatz, { zuordnungen }: Suggestion) =>
  add(decimal(rest), sum(zuordnungen.map(({ betrag }) => decimal(negateText(betrag)))))

interface RowProps {
  zeile: TableRow
  rechnungen: Rechnungen
  busy: boolean
  buttonRef: (button: HTMLButtonElement | null) => void
  onAssign: () => void
  onEdit: () => void
  onAside: () => void
}

function UmsatzRow({
  zeile: { umsatz, ergebnis },
  rechnungen,
  busy,
  buttonRef,
  onAssign,
  onEdit,
  onAside,
}: RowProps) {
  const [vorschlag] = ergebnis.suggestions
  const out = sign(decimal(umsatz.rest)) < 0
  const name = t('{betrag} von {name} am {tag}', {
    betrag: formatEuro(umsatz.rest),
    name: umsatz.name || t('unbekannt'),
    tag: formatDate(umsatz.datum),
  })
  return (
    <li aria-label={name}>
      <div className="bank-head">
        <DateText value={umsatz.datum} />
        <span className="bank-name">
          <strong>{umsatz.name || t('ohne Namen')}</strong>{' '}
          {umsatz.iban !== '' && <span className="soft nums">{formatIban(umsatz.iban)}</span>}
        </span>
        <strong className={out ? 'bank-betrag nums buch-minus' : 'bank-betrag nums'}>
          {formatEuro(umsatz.rest)}
        </strong>
      </div>
      <div className="bank-zweck">
        {umsatz.zweck || <span className="soft">{t('ohne Verwendungszweck')}</span>}
      </div>
      {umsatz.rest !== umsatz.betrag && (
        <div className="soft">{t('Rest von {betrag}', { betrag: formatEuro(umsatz.betrag) })}</div>
      )}
      {vorschlag === undefined ? (
        <div className="soft">
          {ergebnis.settled.length > 0
            ? t('Nennt {nummern}; dort ist nichts mehr offen.', { nummern: ergebnis.settled.join(', ') })
            : t('Keine passende Rechnung gefunden.')}
        </div>
      ) : (
        <Recommendation vorschlag={vorschlag} rechnungen={rechnungen} />
      )}
      <div className="bank-actions">
        <Button
          ref={buttonRef}
          size="small"
          variant={vorschlag === undefined ? 'secondary' : 'primary'}
          disabled={busy}
          aria-haspopup={vorschlag === undefined ? 'dialog' : undefined}
          onClick={onAssign}
        >
          {vorschlag === undefined ? t('Rechnung wählen …') : t('Zuordnen')}
        </Button>
        {vorschlag !== undefined && (
          <Button size="small" onClick={onEdit} disabled={busy}>
            {t('Anders zuordnen …')}
          </Button>
        )}
        <Button size="small" variant="quiet" onClick={onAside} disabled={busy}>
          {t('Gehört nicht hierher')}
        </Button>
      </div>
    </li>
  )
}

function Recommendation({ vorschlag, rechnungen }: { vorschlag: Suggestion; rechnungen: Rechnungen }) {
  return (
    <div className="bank-vorschlag">
      <Badge tone={vorschlag.sicher ? 'success' : 'warning'}>
        {vorschlag.sicher ? t('sicher') : t('zu prüfen')}
      </Badge>
      <div>
        {vorschlag.zuordnungen.map(({ rechnung_id, betrag, skonto }) => {
          const rechnung = rechnungen.get(rechnung_id)
          return (
            <div key={rechnung_id}>
              <a href={`/buchhaltung/rechnungen/rechnung/${rechnung_id}`}>
                {rechnung?.nummer ?? rechnung_id}
              </a>{' '}
              {rechnung?.kunde}
              {': '}
              <span className="nums">{formatEuro(betrag)}</span>
              {skonto && <span> {t('und der Rest als Skonto')}</span>}
              {rechnung && (
                <span className="soft">
                  {' '}
                  {t('von {betrag} offen', { betrag: formatEuro(rechnung.offen) })}
                </span>
              )}
            </div>
          )
        })}
        <div className="bank-gruende">
          {vorschlag.reasons.map((grund) => (
            <span key={grund} className={isDoubt(grund) ? 'bank-zweifel' : undefined}>
              {reasonText(grund)}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
