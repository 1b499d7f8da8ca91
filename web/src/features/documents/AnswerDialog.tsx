// The last look before an offer is accepted or declined.
import { Fragment, useState } from 'react'
import type { AngebotView } from '#contract/document.ts'
import type { BelegPosition, BelegSums } from '#domain/beleg.ts'
import { formatEuro } from '#domain/geld.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { type Chosen, decidedLines } from './angebot-choice.ts'

export interface Answer {
  readonly angebot: AngebotView
  readonly who: string
  /** Accepts the offer; otherwise declines it. */
  readonly yes: boolean
  readonly chosen: Chosen
  readonly summen: BelegSums
  readonly bemerkung: string
}

/**
 * States exactly what is being agreed; § 312j (3) BGB requires the wording of the button, in case the
 * customer is a consumer.
 */
export function AnswerDialog({
  onClose,
  onSend,
  ...answer
}: Answer & { onClose: () => void; onSend: () => Promise<void> }) {
  const { yes } = answer
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const send = async () => {
    if (busy) return
    setBusy(true)
    setFault(null)
    try {
      await onSend()
      onClose()
    } catch (error) {
      setFault(messageOf(error))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      role="alertdialog"
      title={yes ? t('Angebot annehmen?') : t('Angebot ablehnen?')}
      onClose={onClose}
      dismissible={!busy}
      outside={false}
      footer={
        <>
          <Button onClick={onClose} disabled={busy} data-autofocus>
            {t('Zurück')}
          </Button>
          <Button variant={yes ? 'primary' : 'danger'} busy={busy} onClick={() => void send()}>
            {yes ? t('Zahlungspflichtig beauftragen') : t('Ablehnen')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {fault !== null && <Refusal title={t('Ihre Antwort ist nicht angekommen')}>{fault}</Refusal>}
        <Statement {...answer} />
      </div>
    </Dialog>
  )
}

function Statement({ angebot, who, yes, chosen, summen, bemerkung }: Answer) {
  const what = {
    nummer: angebot.nummer,
    tag: formatDate(angebot.datum),
    kunde: angebot.kunde,
    anbieter: angebot.anbieter.name,
  }
  return (
    <>
      {yes ? (
        <>
          <p>
            {t('{kunde} beauftragt {anbieter} mit den Leistungen des Angebots {nummer} vom {tag}.', what)}
          </p>
          <p className="dok-total">
            <span>{t('Auftragssumme')}</span>
            <strong className="nums">{formatEuro(summen.brutto)}</strong>
            <span className="soft nums">
              {t('brutto; netto {netto}', { netto: formatEuro(summen.netto) })}
            </span>
          </p>
          <Choices angebot={angebot} chosen={chosen} />
        </>
      ) : (
        <p>
          {t(
            '{kunde} lehnt das Angebot {nummer} vom {tag} ab. Hier lässt es sich danach nicht mehr annehmen; ' +
              'auf Nachfrage erhalten Sie ein neues.',
            what,
          )}
        </p>
      )}
      {bemerkung !== '' && (
        <div>
          <strong>{t('Ihre Bemerkung')}</strong>
          <p className="beleg-pre">{bemerkung}</p>
        </div>
      )}
      <p className="soft">
        {yes
          ? t(
              'Damit kommt ein Vertrag zustande. Festgehalten wird: angenommen von {name}, heute, mit Uhrzeit.',
              { name: who },
            )
          : t('Festgehalten wird: abgelehnt von {name}, heute, mit Uhrzeit.', { name: who })}
      </p>
    </>
  )
}

const lineText = ({ nr, bez, betrag }: BelegPosition): string => `${nr} ${bez}, ${formatEuro(betrag)}`

function Choices({ angebot: { positionen }, chosen }: Pick<Answer, 'angebot' | 'chosen'>) {
  const { taken, left } = decidedLines(positionen, chosen)
  const groups = [
    { title: t('Gewählt'), lines: taken },
    { title: t('Nicht gewählt'), lines: left },
  ].filter(({ lines }) => lines.length > 0)
  if (groups.length === 0) return null
  return (
    <dl className="dok-taken">
      {groups.map(({ title, lines }) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          {lines.map((line) => (
            <dd key={line.id}>{lineText(line)}</dd>
          ))}
        </Fragment>
      ))}
    </dl>
  )
}
