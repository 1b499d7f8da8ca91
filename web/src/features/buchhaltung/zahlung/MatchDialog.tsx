// Assigns one bank entry to one or more invoices by hand: parts, overpayment, the rest as discount, and
// refunds.
import { useState } from 'react'
import type { BankRechnung, BankUmsatz } from '#contract/zahlung.ts'
import {
  add,
  compare,
  type Decimal,
  decimal,
  formatAmount,
  formatCents,
  formatEuro,
  negate,
  NULL,
  parseNumberInput,
  sign,
  subtract,
} from '#domain/geld.ts'
import type { Reconciliation } from '#domain/zahlung-reconciliation.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Badge } from '../../../ui/Display.tsx'
import { Checkbox, SearchField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { numberFault } from '../number-words.ts'
import { matchAll, useBankAct } from './bank.data.ts'

/** What was typed per invoice, without the entry's sign. */
interface Part {
  readonly betrag: string
  readonly skonto: boolean
}
const SHOWN = 8
const magnitude = (value: Decimal): Decimal => (value.wert < 0n ? negate(value) : value)
/** The most that can be assigned without overpayment: what is open, or for a refund what was paid. */
const limitOf = ({ offen, bezahlt }: BankRechnung, out: boolean): Decimal => {
  const most = decimal(out ? bezahlt : offen)
  return sign(most) > 0 ? most : NULL
}

interface Props {
  umsatz: BankUmsatz
  ergebnis: Reconciliation
  rechnungen: ReadonlyMap<number, BankRechnung>
  onClose: () => void
  onDone: (isGone: boolean, nummern: string) => void
}

export function MatchDialog({ umsatz, ergebnis, rechnungen, onClose, onDone }: Props) {
  const out = umsatz.rest.startsWith('-')
  const whole = magnitude(decimal(umsatz.rest))
  const [text, setText] = useState('')
  const [parts, setParts] = useState<ReadonlyMap<number, Part>>(new Map())
  const [tried, setTried] = useState(false)
  const [isMore, setIsMore] = useState(false)
  const accept = useBankAct(matchAll)
  const disarm = useUnsavedChanges(parts.size > 0)

  const valueOf = (id: number): Decimal | string =>
    parseNumberInput(parts.get(id)?.betrag ?? '', { decimals: 2 })
  const amounts = [...parts.keys()].map(valueOf)
  const given = amounts.reduce<Decimal>(
    (total, value) => (typeof value === 'string' ? total : add(total, value)),
    NULL,
  )
  const left = subtract(whole, given)
  const overpaid = out ? [] : [...parts.keys()].filter((id) => isOver(id))
  function isOver(id: number): boolean {
    const [value, rechnung] = [valueOf(id), rechnungen.get(id)]
    return typeof value !== 'string' && rechnung !== undefined && compare(value, limitOf(rechnung, out)) > 0
  }
  const tooMuch = sign(left) < 0
  const broken = amounts.some((value) => typeof value === 'string' || sign(value) === 0)
  const ready =
    parts.size > 0 &&
    !broken &&
    !tooMuch &&
    (overpaid.length === 0 || isMore) &&
    !(out && [...parts.keys()].some(isOver))

  const candidates = orderOf(umsatz, ergebnis, rechnungen, out)
  const wanted = text.trim().toLowerCase()
  const found = candidates.filter(({ nummer, kunde }) => `${nummer} ${kunde}`.toLowerCase().includes(wanted))
  const chosen = candidates.filter(({ rechnung_id }) => parts.has(rechnung_id))
  const shown = [
    ...chosen,
    ...found
      .filter(({ rechnung_id }) => !parts.has(rechnung_id))
      .slice(0, Math.max(0, SHOWN - chosen.length)),
  ]

  const set = (id: number, part: Part | null) => {
    const next = new Map(parts)
    if (part === null) next.delete(id)
    else next.set(id, part)
    setParts(next)
  }
  function toggle(rechnung: BankRechnung, checked: boolean) {
    if (!checked) return set(rechnung.rechnung_id, null)
    const limit = limitOf(rechnung, out)
    const rest = sign(left) > 0 ? left : NULL
    set(rechnung.rechnung_id, {
      betrag: formatAmount(compare(limit, rest) < 0 && sign(limit) > 0 ? limit : rest),
      skonto: false,
    })
  }
  function submit() {
    setTried(true)
    if (!ready) return
    const zuordnungen = [...parts].map(([rechnung_id, { skonto }]) => {
      const value = valueOf(rechnung_id) as Decimal
      return {
        umsatz_id: umsatz.id,
        rechnung_id,
        betrag: formatCents(out ? negate(value) : value),
        skonto: skonto && !isOver(rechnung_id),
        ueberzahlung: overpaid.includes(rechnung_id),
      }
    })
    accept.mutate(zuordnungen, {
      onSuccess: () => {
        disarm()
        onDone(
          sign(left) === 0,
          [...parts.keys()].map((id) => rechnungen.get(id)?.nummer ?? String(id)).join(', '),
        )
      },
    })
  }
  return (
    <FormDialog
      title={out ? t('Rückzahlung zuordnen') : t('Zahlung zuordnen')}
      width="wide"
      submitLabel={t('Zuordnen')}
      busy={accept.isPending}
      disabled={tried && !ready}
      dirty={parts.size > 0}
      unsaved={t('Die Zuordnung ist noch nicht gespeichert.')}
      fault={
        accept.error === null
          ? tried && parts.size === 0
            ? t('Bitte wählen Sie mindestens eine Rechnung.')
            : null
          : messageOf(accept.error)
      }
      faultTitle={t('Nicht zugeordnet')}
      onSubmit={submit}
      onClose={onClose}
    >
      <div>
        <strong className="nums">{formatEuro(umsatz.rest)}</strong>{' '}
        {t('am {tag}', { tag: formatDate(umsatz.datum) })} {umsatz.name}
        <div className="bank-zweck soft">{umsatz.zweck}</div>
      </div>
      <SearchField label={t('Rechnung oder Kunde suchen')} value={text} onValue={setText} />
      {shown.length === 0 && (
        <p className="soft">
          {out
            ? t('Keine Rechnung, auf die etwas gezahlt wurde.')
            : t('Keine Rechnung gefunden, auf der etwas offen ist.')}
        </p>
      )}
      <ul className="bank-wahl">
        {shown.map((rechnung) => {
          const part = parts.get(rechnung.rechnung_id)
          const value = valueOf(rechnung.rechnung_id)
          const proposed = ergebnis.suggestions.some(({ zuordnungen }) =>
            zuordnungen.some(({ rechnung_id }) => rechnung_id === rechnung.rechnung_id),
          )
          const short =
            part !== undefined &&
            !out &&
            typeof value !== 'string' &&
            sign(value) > 0 &&
            compare(value, limitOf(rechnung, out)) < 0
          return (
            <li key={rechnung.rechnung_id}>
              <Checkbox
                label={`${rechnung.nummer} · ${rechnung.kunde}`}
                hint={
                  out
                    ? t('vom {tag}, gezahlt {betrag}', {
                        tag: formatDate(rechnung.rn_datum),
                        betrag: formatEuro(rechnung.bezahlt),
                      })
                    : t('vom {tag}, offen {betrag}', {
                        tag: formatDate(rechnung.rn_datum),
                        betrag: formatEuro(rechnung.offen),
                      })
                }
                checked={part !== undefined}
                onChange={({ target }) => toggle(rechnung, target.checked)}
              />
              {proposed && <Badge tone="info">{t('vorgeschlagen')}</Badge>}
              {part !== undefined && (
                <div className="bank-teil">
                  <TextField
                    label={t('Betrag für {nummer}', { nummer: rechnung.nummer })}
                    unit="€"
                    inputMode="decimal"
                    autoComplete="off"
                    value={part.betrag}
                    error={
                      typeof value === 'string'
                        ? numberFault(value as Parameters<typeof numberFault>[0], 2)
                        : sign(value) === 0
                          ? t('Der Betrag darf nicht null sein.')
                          : out && isOver(rechnung.rechnung_id)
                            ? t('Zurückgezahlt werden kann höchstens, was eingegangen ist.')
                            : undefined
                    }
                    onChange={({ target }) => set(rechnung.rechnung_id, { ...part, betrag: target.value })}
                  />
                  {short && (
                    <Checkbox
                      label={t('Den Rest von {betrag} als Skonto gewähren', {
                        betrag: formatEuro(subtract(limitOf(rechnung, out), value)),
                      })}
                      checked={part.skonto}
                      onChange={({ target }) =>
                        set(rechnung.rechnung_id, { ...part, skonto: target.checked })
                      }
                    />
                  )}
                </div>
              )}
            </li>
          )
        })}
      </ul>
      {found.length > SHOWN && (
        <p className="soft">{t('{n} weitere; bitte suchen.', { n: found.length - SHOWN })}</p>
      )}
      <p aria-live="polite" className={tooMuch ? 'bank-warnung' : undefined}>
        {tooMuch
          ? t('{betrag} zu viel verteilt. Bitte verkleinern Sie einen Betrag.', {
              betrag: formatEuro(magnitude(left)),
            })
          : t('Verteilt: {verteilt}. Übrig bleiben {rest}.', {
              verteilt: formatEuro(given),
              rest: formatEuro(left),
            })}
      </p>
      {overpaid.length > 0 && (
        <Checkbox
          label={t('Es wurde mehr gezahlt als offen ist; das stimmt so.')}
          checked={isMore}
          onChange={({ target }) => setIsMore(target.checked)}
        />
      )}
    </FormDialog>
  )
}

/** Suggested ones first, then those of the same customers, then the newest. */
function orderOf(
  umsatz: BankUmsatz,
  { suggestions }: Reconciliation,
  rechnungen: ReadonlyMap<number, BankRechnung>,
  out: boolean,
): BankRechnung[] {
  const proposed = new Set(
    suggestions.flatMap(({ zuordnungen }) => zuordnungen.map(({ rechnung_id }) => rechnung_id)),
  )
  const customers = new Set([...proposed].map((id) => rechnungen.get(id)?.client_id))
  const name = umsatz.name.toLowerCase()
  const weight = (one: BankRechnung): number =>
    proposed.has(one.rechnung_id)
      ? 3
      : customers.has(one.client_id)
        ? 2
        : name !== '' && one.kunde.toLowerCase() === name
          ? 1
          : 0
  return [...rechnungen.values()]
    .filter((one) => (out ? sign(decimal(one.bezahlt)) > 0 : sign(decimal(one.offen)) > 0 && !one.storniert))
    .toSorted(
      (a, b) =>
        weight(b) - weight(a) ||
        (a.rn_datum < b.rn_datum ? 1 : a.rn_datum > b.rn_datum ? -1 : b.rechnung_id - a.rechnung_id),
    )
}
