// One open bank entry with the invoices it probably pays, and what can be done with it.
import { type Ref } from 'react'
import { decimal, formatEuro, sign } from '#domain/geld.ts'
import { formatIban } from '#domain/iban.ts'
import { isReceived } from '#domain/reconciliation/received.ts'
import type { Suggestion } from '#domain/reconciliation/suggestion.ts'
import { Button } from '../../../ui/Button.tsx'
import { Badge, DateText } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import type { OpenEntry, Rechnungen } from './reconciliation.ts'
import { eingangPath } from '../eingang/eingang-path.ts'
import { isDoubt, reasonText } from './reconciliation-words.ts'

const invoicePath = (id: number): string =>
  isReceived(id) ? eingangPath(-id) : `/buchhaltung/rechnungen/rechnung/${id}`

interface RowProps {
  entry: OpenEntry
  rechnungen: Rechnungen
  busy: boolean
  buttonRef: Ref<HTMLButtonElement>
  onAssign: () => void
  onEdit: () => void
  onAside: () => void
}

export function UmsatzRow({ entry: { umsatz, ergebnis }, rechnungen, ...acts }: RowProps) {
  const [proposal] = ergebnis.suggestions
  const name = t('{betrag} von {name} am {tag}', {
    betrag: formatEuro(umsatz.rest),
    name: umsatz.name || t('unbekannt'),
    tag: formatDate(umsatz.datum),
  })
  const out = sign(decimal(umsatz.rest)) < 0
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
      {proposal === undefined ? (
        <div className="soft">
          {ergebnis.settled.length > 0
            ? t('Nennt {nummern}; dort ist nichts mehr offen.', { nummern: ergebnis.settled.join(', ') })
            : t('Keine passende Rechnung gefunden.')}
        </div>
      ) : (
        <Recommendation vorschlag={proposal} rechnungen={rechnungen} />
      )}
      <RowButtons isSuggested={proposal !== undefined} {...acts} />
    </li>
  )
}

function RowButtons({
  isSuggested,
  busy,
  buttonRef,
  onAssign,
  onEdit,
  onAside,
}: Omit<RowProps, 'entry' | 'rechnungen'> & { isSuggested: boolean }) {
  return (
    <div className="bank-actions">
      <Button
        ref={buttonRef}
        size="small"
        variant={isSuggested ? 'primary' : 'secondary'}
        disabled={busy}
        aria-haspopup={isSuggested ? undefined : 'dialog'}
        onClick={onAssign}
      >
        {isSuggested ? t('Zuordnen') : t('Rechnung wählen …')}
      </Button>
      {isSuggested && (
        <Button size="small" onClick={onEdit} disabled={busy}>
          {t('Anders zuordnen …')}
        </Button>
      )}
      <Button size="small" variant="quiet" onClick={onAside} disabled={busy}>
        {t('Gehört nicht hierher')}
      </Button>
    </div>
  )
}

function Recommendation({ vorschlag, rechnungen }: { vorschlag: Suggestion; rechnungen: Rechnungen }) {
  return (
    <div className="bank-vorschlag">
      <Badge tone={vorschlag.sicher ? 'success' : 'warning'}>
        {vorschlag.sicher ? t('sicher') : t('zu prüfen')}
      </Badge>
      <div>
        {vorschlag.zuordnungen.map(({ rechnung_id, betrag, skonto, mahnkosten }) => {
          const rechnung = rechnungen.get(rechnung_id)
          return (
            <div key={rechnung_id}>
              <a href={invoicePath(rechnung_id)}>{rechnung?.nummer ?? rechnung_id}</a> {rechnung?.kunde}
              {': '}
              <span className="nums">{formatEuro(betrag)}</span>
              {skonto && <span> {t('und der Rest als Skonto')}</span>}
              {mahnkosten === true && <span> {t('mit den Mahnkosten')}</span>}
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
          {vorschlag.reasons.map((reason) => (
            <span key={reason} className={isDoubt(reason) ? 'bank-zweifel' : undefined}>
              {reasonText(
                reason,
                vorschlag.zuordnungen.some(({ rechnung_id }) => isReceived(rechnung_id)),
              )}
            </span>
          ))}
        </div>
      </div>
    </div>
  )
}
