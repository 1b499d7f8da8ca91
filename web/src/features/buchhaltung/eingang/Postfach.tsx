// The mailbox of received invoices: when it was seen last, what is wrong with it and what helps, and mails that
// were not taken in.
import { useQuery } from '@tanstack/react-query'
import type { EingangMail, EingangMailRule, EingangPostfach } from '#contract/eingang.ts'
import { BY_RULE } from '../../../data/rule-texts.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { postfachQuery, settleMail, useEingangAct } from './eingang.data.ts'
import { eingangPath } from './eingang-path.ts'

export function Postfach() {
  const { data } = useQuery(postfachQuery)
  if (data === undefined) return null
  return (
    <>
      {data.adresse !== '' && <State postfach={data} />}
      {data.mails.length > 0 && (
        <Notice tone="warning" title={t('Mails, die nicht ganz übernommen wurden')}>
          <ul className="eingang-outcomes" aria-label={t('Mails, die nicht ganz übernommen wurden')}>
            {data.mails.map((mail) => (
              <Mail key={mail.id} mail={mail} />
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}

function State({ postfach: { adresse, geschaut_am, fehler, fehler_am } }: { postfach: EingangPostfach }) {
  const seen =
    geschaut_am === null
      ? t('Das Postfach {adresse} wurde noch nicht gelesen.', { adresse })
      : t('Postfach {adresse}, zuletzt gelesen am {zeit}', { adresse, zeit: formatDateTime(geschaut_am) })
  if (fehler === '') return <p className="soft">{seen}</p>
  return (
    <Notice tone="danger" title={t('Das Postfach konnte nicht gelesen werden')}>
      <p>
        {formatDateTime(fehler_am)}: {faultText(fehler)}
      </p>
      <p>{seen}</p>
    </Notice>
  )
}

function faultText(fault: Exclude<EingangPostfach['fehler'], ''>): string {
  switch (fault) {
    case 'anmeldung':
      return t(
        'Der Mailserver lehnt die Anmeldung ab. Bitte prüfen Sie Nutzer und Passwort in EINGANG_IMAP_URL.',
      )
    case 'verbindung':
      return t(
        'Der Mailserver ist nicht zu erreichen oder antwortet nicht. Es wird automatisch noch einmal versucht; ' +
          'bleibt es dabei, prüfen Sie bitte den Rechner in EINGANG_IMAP_URL.',
      )
    case 'ordner':
      return t(
        'Ein Ordner fehlt und lässt sich nicht anlegen, oder Mails lassen sich nicht verschieben. ' +
          'Bitte prüfen Sie EINGANG_IMAP_FOLDER, EINGANG_IMAP_DONE und EINGANG_IMAP_REFUSED.',
      )
    case 'mail':
      return t(
        'Einzelne Mails blieben liegen. Es wird automatisch noch einmal versucht; ' +
          'das Protokoll des Servers nennt den Grund.',
      )
    case 'intern':
      return t(
        'Das Lesen wurde abgebrochen. Es wird automatisch noch einmal versucht; ' +
          'das Protokoll des Servers nennt den Grund.',
      )
  }
}

function mailText(rule: EingangMailRule): string {
  switch (rule) {
    case 'mail_gross':
      return t('Die Mail ist größer als 40 MB.')
    case 'mail_viele':
      return t('Die Mail hat mehr als 50 Anlagen.')
    case 'mail_ohne':
      return t('Die Mail hat keine Rechnung als Anlage (PDF oder XML).')
    case 'mail_kaputt':
      return t('Die Mail ist beschädigt und lässt sich nicht lesen.')
  }
}

function Mail({ mail: { id, absender, betreff, angelegt_am, grund, teile } }: { mail: EingangMail }) {
  const done = useEingangAct(settleMail)
  return (
    <li>
      <span>
        <strong>{betreff || t('ohne Betreff')}</strong>, {absender || t('ohne Absender')},{' '}
        {formatDateTime(angelegt_am)}
        {grund !== '' && <span className="soft"> {mailText(grund)}</span>}
        {teile.map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- parts of a mail may have equal names and never move
          <Part key={at} part={part} />
        ))}
      </span>
      <Button
        size="small"
        busy={done.isPending}
        onClick={() => done.mutate(id, { onError: (error) => toast.error(messageOf(error)) })}
      >
        {t('Erledigt')}
      </Button>
    </li>
  )
}

const Part = ({ part: { name, eingang_id, grund } }: { part: EingangMail['teile'][number] }) => (
  <span className="soft">
    {' '}
    {eingang_id === null ? (
      `${name}: ${t(BY_RULE[grund] ?? grund)}`
    ) : (
      <a href={eingangPath(eingang_id)}>{name}</a>
    )}
  </span>
)
