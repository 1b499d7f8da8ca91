// Assigns one bank entry to one or more invoices by hand: parts, overpayment, the rest as discount, and
// refunds.
import { useState } from 'react'
import type { BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import { absolute, decimal, formatEuro, sign } from '#domain/geld.ts'
import { isReceived } from '#domain/reconciliation/received.ts'
import type { Reconciliation } from '#domain/reconciliation/suggestion.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Badge } from '../../../ui/Display.tsx'
import { Checkbox, TextField } from '../../../ui/Field.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { lossHint } from '../rechnung/zahlung-words.ts'
import { matchAll, useBankAct } from './bank.data.ts'
import {
  candidatesOf,
  checkSpread,
  deriveSpread,
  isBack,
  isRefund,
  NO_PARTS,
  type Part,
  type PartState,
  type Parts,
  proposePart,
  type Spread,
  withPart,
} from './match-form.ts'
import type { Rechnungen } from './reconciliation.ts'
import type { Matched } from './use-reconciliation.ts'

const SHOWN = 8

interface Props {
  umsatz: BankUmsatz
  ergebnis: Reconciliation
  rechnungen: Rechnungen
  onClose: () => void
  onDone: (matched: Matched) => void
}

export function MatchDialog({ umsatz, ergebnis, rechnungen, onClose, onDone }: Props) {
  const out = isRefund(umsatz)
  const [isMore, setIsMore] = useState(false)
  const accept = useBankAct(matchAll)
  const check = ({ parts }: { parts: Parts }) =>
    checkSpread(umsatz, parts, deriveSpread(umsatz, parts, rechnungen), isMore)
  const { frame, values, set, tried, errorOf } = useDialogForm({
    initial: { parts: NO_PARTS },
    check,
    send: (matches) => accept.mutateAsync(matches),
    onSent: (made) =>
      onDone({
        numbers: [...parts.keys()].map((id) => rechnungen.get(id)?.nummer ?? String(id)).join(', '),
        isGone: sign(spread.left) === 0,
        made,
      }),
  })
  const { parts } = values
  const spread = deriveSpread(umsatz, parts, rechnungen)
  return (
    <FormDialog
      {...frame}
      title={out ? t('Ausgang zuordnen') : t('Zahlung zuordnen')}
      width="wide"
      submitLabel={t('Zuordnen')}
      disabled={tried && 'faults' in check(values)}
      unsaved={t('Die Zuordnung ist noch nicht gespeichert.')}
      fault={frame.fault ?? errorOf('parts') ?? null}
      faultTitle={t('Nicht zugeordnet')}
      onClose={onClose}
    >
      <div>
        <strong className="nums">{formatEuro(umsatz.rest)}</strong>{' '}
        {t('am {tag}', { tag: formatDate(umsatz.datum) })} {umsatz.name}
        <div className="bank-zweck soft">{umsatz.zweck}</div>
      </div>
      <Choice
        candidates={candidatesOf(umsatz, ergebnis, rechnungen, out)}
        proposed={
          new Set(
            ergebnis.suggestions.flatMap(({ zuordnungen }) => zuordnungen.map((one) => one.rechnung_id)),
          )
        }
        parts={parts}
        spread={spread}
        out={out}
        onChange={(id, part) => set({ parts: withPart(parts, id, part) })}
      />
      <Balance spread={spread} />
      {spread.overpaid.length > 0 && (
        <Checkbox
          label={t('Es wurde mehr gezahlt als offen ist; das stimmt so.')}
          hint={lossHint()}
          checked={isMore}
          onChange={({ target }) => setIsMore(target.checked)}
        />
      )}
    </FormDialog>
  )
}

function Balance({ spread: { given, left } }: { spread: Spread }) {
  const isTooMuch = sign(left) < 0
  return (
    <p aria-live="polite" className={isTooMuch ? 'bank-warnung' : undefined}>
      {isTooMuch
        ? t('{betrag} zu viel verteilt. Bitte verkleinern Sie einen Betrag.', {
            betrag: formatEuro(absolute(left)),
          })
        : t('Verteilt: {verteilt}. Übrig bleiben {rest}.', {
            verteilt: formatEuro(given),
            rest: formatEuro(left),
          })}
    </p>
  )
}

interface ChoiceProps {
  candidates: readonly BankRechnung[]
  proposed: ReadonlySet<number>
  parts: Parts
  spread: Spread
  out: boolean
  /** Null: not chosen any more. */
  onChange: (id: number, part: Part | null) => void
}

/** The chosen invoices stay in sight, whatever is searched. */
function Choice({ candidates, proposed, parts, spread, out, onChange }: ChoiceProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const found = candidates.filter(({ nummer, kunde }) => `${nummer} ${kunde}`.toLowerCase().includes(wanted))
  const chosen = candidates.filter(({ rechnung_id }) => parts.has(rechnung_id))
  const others = found.filter(({ rechnung_id }) => !parts.has(rechnung_id))
  const shown = [...chosen, ...others.slice(0, Math.max(0, SHOWN - chosen.length))]
  return (
    <>
      <SearchField label={t('Rechnung, Kunde oder Lieferant suchen')} value={text} onValue={setText} />
      {shown.length === 0 && (
        <p className="soft">
          {out
            ? t('Keine Rechnung gefunden, die zu bezahlen ist oder auf die etwas gezahlt wurde.')
            : t('Keine Rechnung gefunden, auf der etwas offen ist.')}
        </p>
      )}
      <ul className="bank-wahl">
        {shown.map((rechnung) => {
          const id = rechnung.rechnung_id
          const part = parts.get(id)
          return (
            <li key={id}>
              <Checkbox
                label={`${rechnung.nummer} · ${rechnung.kunde}`}
                hint={hintOf(rechnung, out)}
                checked={part !== undefined}
                onChange={({ target }) =>
                  onChange(id, target.checked ? proposePart(rechnung, spread.left, out) : null)
                }
              />
              {proposed.has(id) && <Badge tone="info">{t('vorgeschlagen')}</Badge>}
              {part !== undefined && (
                <PartFields
                  nummer={rechnung.nummer}
                  received={isReceived(id)}
                  part={part}
                  state={spread.states.get(id)!}
                  onChange={(change) => onChange(id, change)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {found.length > SHOWN && (
        <p className="soft">{t('{n} weitere; bitte suchen.', { n: found.length - SHOWN })}</p>
      )}
    </>
  )
}

function hintOf(
  { rechnung_id, rn_datum, bezahlt, offen, storniert, mahnkosten }: BankRechnung,
  out: boolean,
): string {
  const tag = formatDate(rn_datum)
  if (isBack(rechnung_id, out)) return t('vom {tag}, gezahlt {betrag}', { tag, betrag: formatEuro(bezahlt) })
  if (storniert) return t('vom {tag}, storniert', { tag })
  if (sign(decimal(mahnkosten)) > 0)
    return t('vom {tag}, offen {betrag} und {kosten} Mahnkosten', {
      tag,
      betrag: formatEuro(offen),
      kosten: formatEuro(mahnkosten),
    })
  return t('vom {tag}, offen {betrag}', { tag, betrag: formatEuro(offen) })
}

function PartFields({
  nummer,
  received,
  part,
  state: { fault, short, costs },
  onChange,
}: {
  nummer: string
  received: boolean
  part: Part
  state: PartState
  onChange: (part: Part) => void
}) {
  return (
    <div className="bank-teil">
      <TextField
        label={t('Betrag für {nummer}', { nummer })}
        unit="€"
        inputMode="decimal"
        autoComplete="off"
        value={part.betrag}
        error={fault}
        onChange={({ target }) => onChange({ ...part, betrag: target.value })}
      />
      {short !== null && (
        <Checkbox
          label={
            received
              ? t('Den Rest von {betrag} als Skonto abziehen', { betrag: formatEuro(short) })
              : t('Den Rest von {betrag} als Skonto gewähren', { betrag: formatEuro(short) })
          }
          checked={part.skonto}
          onChange={({ target }) => onChange({ ...part, skonto: target.checked })}
        />
      )}
      {costs !== null && (
        <Checkbox
          label={t('{betrag} davon sind Mahnkosten', { betrag: formatEuro(costs) })}
          hint={t('Gebühren, Zinsen und Pauschale, ohne Umsatzsteuer')}
          checked={part.mahnkosten}
          onChange={({ target }) => onChange({ ...part, mahnkosten: target.checked })}
        />
      )}
    </div>
  )
}
