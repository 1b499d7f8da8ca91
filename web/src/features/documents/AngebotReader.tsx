// An offer as its customer reads and answers it: lines, choices, the resulting sum, and accept or decline.
// Used in the application and behind one-time links.
import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import type { AngebotView } from '#contract/document.ts'
import { type Choice, orderedSums, choiceOf } from '#domain/angebot.ts'
import type { BelegPosition, BelegSums as Sums } from '#domain/beleg.ts'
import { decimal, formatEuro, formatGerman, sign } from '#domain/geld.ts'
import { BelegSums } from '../../record/beleg/BelegSums.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { TextAreaField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { contactText, totalText } from './document-words.ts'
import type { Decision } from './documents.data.ts'
import './documents.css'

/** Sums of the order with these lines chosen. */
export const sumsOf = (angebot: AngebotView, chosen: ReadonlySet<string>): Sums =>
  orderedSums({
    ...angebot,
    anzahlung: '0.00',
    positionen: angebot.positionen.map((line) => ({ ...line, gewaehlt: chosen.has(line.id) })),
  })

interface Props {
  angebot: AngebotView
  /** Name of the person answering; null: the form asks for it. */
  wer: string | null
  /** Rejects with an error whose message is shown to the person. */
  decide: (decision: Decision & { readonly name: string }) => Promise<unknown>
}

export function AngebotReader({ angebot, wer, decide }: Props) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(angebot.positionen.filter(({ gewaehlt }) => gewaehlt).map(({ id }) => id)),
  )
  const open = angebot.stand === 'versendet'
  const summen = sumsOf(angebot, chosen)
  const choose = (among: readonly string[], taken: string | null) =>
    setChosen(
      new Set([...[...chosen].filter((id) => !among.includes(id)), ...(taken === null ? [] : [taken])]),
    )
  return (
    <>
      <Card
        title={
          open && choiceOf(angebot.positionen).length > 0
            ? t('Leistungen: bitte wählen Sie')
            : t('Leistungen')
        }
      >
        <div className="stack dok-sums">
          <Rows positionen={angebot.positionen} chosen={chosen} {...(open && { choose })} />
          <BelegSums summen={summen} rabatt_prozent={angebot.rabatt_prozent} />
          <p className="visually-hidden" aria-live="polite">
            {t('Summe: {summe}', { summe: totalText(summen) })}
          </p>
        </div>
      </Card>
      {open ? (
        <Answer angebot={angebot} wer={wer} chosen={chosen} summen={summen} decide={decide} />
      ) : (
        <Decided angebot={angebot} />
      )}
    </>
  )
}

// Lines

type Choose = (among: readonly string[], taken: string | null) => void
const amountOf = ({ art, betrag }: BelegPosition) => (art === 'ueberschrift' ? '' : formatEuro(betrag))
const lineText = ({ nr, bez, betrag }: BelegPosition): string => `${nr} ${bez}, ${formatEuro(betrag)}`

function Rows({
  positionen,
  chosen,
  choose,
}: {
  positionen: readonly BelegPosition[]
  chosen: ReadonlySet<string>
  choose?: Choose
}) {
  const choices = choiceOf(positionen)
  const choiceAt = (at: number) => choices.find(({ basis, options }) => basis === at || options.includes(at))
  return (
    <ol className="dok-lines">
      {positionen.map((position, at) => {
        const choice = choiceAt(at)
        // A choice is rendered as a whole at its first line.
        if (choice && at !== (choice.basis ?? choice.options[0])) return null
        if (choice)
          return (
            <Picker
              key={position.id}
              choice={choice}
              positionen={positionen}
              chosen={chosen}
              {...(choose && { choose })}
            />
          )
        return (
          <li
            key={position.id}
            className={position.art === 'ueberschrift' ? 'dok-line dok-line-heading' : 'dok-line'}
          >
            <TableRow position={position} />
          </li>
        )
      })}
    </ol>
  )
}

function TableRow({
  position,
  mark,
  off = false,
}: {
  position: BelegPosition
  mark?: ReactNode
  off?: boolean
}) {
  const { nr, bez, art, anzahl, einheit, ep, rabatt_prozent, erl, erl_on, erl_titel } = position
  const isHeading = art === 'ueberschrift'
  const explanation = erl_on ? [erl_titel, erl].filter((text) => text !== '').join('\n') : ''
  return (
    <>
      <span className="dok-line-text">
        <span className="dok-line-name">
          <span className="nums">{nr}</span> {bez} {mark}
        </span>
        {!isHeading && (
          <span className="soft nums">
            {`${formatGerman(decimal(anzahl))} ${einheit} × ${formatEuro(ep)}`.replace('  ', ' ')}
            {sign(decimal(rabatt_prozent)) !== 0 &&
              ` ${t('−{prozent} %', { prozent: formatGerman(decimal(rabatt_prozent)) })}`}
          </span>
        )}
        {explanation !== '' && <span className="soft beleg-pre">{explanation}</span>}
      </span>
      <span className={off ? 'dok-line-sum soft nums' : 'dok-line-sum nums'}>
        {off ? t('({betrag})', { betrag: amountOf(position) }) : amountOf(position)}
      </span>
    </>
  )
}

/** One choice: a single extra line or not, or one of several. */
function Picker({
  choice: { basis, art, options },
  positionen,
  chosen,
  choose,
}: {
  choice: Choice
  positionen: readonly BelegPosition[]
  chosen: ReadonlySet<string>
  choose?: Choose
}) {
  const name = useId()
  const lines = options.map((at) => positionen[at]!)
  const among = lines.map(({ id }) => id)
  const taken = lines.find(({ id }) => chosen.has(id))
  const plain = art === 'position' ? positionen[basis!]! : null
  const single = plain === null && lines.length === 1
  if (!choose)
    return (
      <>
        {[...(plain ? [plain] : []), ...lines].map((line) => {
          const isTaken = line === taken || (line === plain && taken === undefined)
          return (
            <li key={line.id} className="dok-line">
              <TableRow
                position={line}
                off={!isTaken}
                mark={
                  <Badge tone={isTaken ? 'success' : 'neutral'}>
                    {isTaken ? t('gewählt') : t('nicht gewählt')}
                  </Badge>
                }
              />
            </li>
          )
        })}
      </>
    )
  if (single) {
    const [line] = lines as [BelegPosition]
    return (
      <li className="dok-line dok-line-choice">
        <label className="dok-option">
          <input
            type="checkbox"
            checked={taken !== undefined}
            onChange={({ target }) => choose(among, target.checked ? line.id : null)}
          />
          <TableRow position={line} off={taken === undefined} mark={<Badge>{t('auf Wunsch')}</Badge>} />
        </label>
      </li>
    )
  }
  const first = plain ?? lines[0]!
  return (
    <li className="dok-line dok-line-choice">
      <fieldset className="dok-choice">
        <legend>
          {plain
            ? t('Position {nr}: welche Ausführung?', { nr: first.nr })
            : t('Position {nr}: auf Wunsch', { nr: first.nr })}
        </legend>
        <label className="dok-option">
          <input
            type="radio"
            name={name}
            checked={taken === undefined}
            onChange={() => choose(among, null)}
          />
          {plain ? (
            <TableRow position={plain} off={taken !== undefined} mark={<Badge>{t('wie angeboten')}</Badge>} />
          ) : (
            <span className="dok-line-text">{t('nichts davon')}</span>
          )}
        </label>
        {lines.map((line) => (
          <label key={line.id} className="dok-option">
            <input
              type="radio"
              name={name}
              checked={line === taken}
              onChange={() => choose(among, line.id)}
            />
            <TableRow
              position={line}
              off={line !== taken}
              mark={<Badge>{plain ? t('stattdessen') : t('auf Wunsch')}</Badge>}
            />
          </label>
        ))}
      </fieldset>
    </li>
  )
}

// Answer

const LONGEST = 2000
const LONGEST_NAME = 200

function Answer({
  angebot,
  wer,
  chosen,
  summen,
  decide,
}: Props & { chosen: ReadonlySet<string>; summen: Sums }) {
  const [bemerkung, setRemark] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState<boolean | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const who = wer ?? name.trim()
  const disarm = useUnsavedChanges(bemerkung !== '' || name !== '')
  const begin = (yes: boolean) => {
    setTried(true)
    if (who === '') nameField.current?.focus()
    else setAsking(yes)
  }
  return (
    <Card title={t('Ihre Antwort')}>
      <div className="stack">
        <p>
          {t(
            'Das Angebot gilt bis zum {tag}. Vor dem Absenden sehen Sie noch einmal alles auf einen Blick.',
            {
              tag: formatDate(angebot.gueltig_bis),
            },
          )}
        </p>
        {wer === null && (
          <TextField
            ref={nameField}
            label={t('Ihr Vor- und Nachname')}
            required
            maxLength={LONGEST_NAME}
            autoComplete="name"
            value={name}
            error={
              tried && who === ''
                ? t('Bitte geben Sie Ihren Namen an: Er wird mit Ihrer Antwort festgehalten.')
                : undefined
            }
            onChange={({ target }) => setName(target.value)}
          />
        )}
        <TextAreaField
          label={t('Bemerkung (freiwillig)')}
          rows={3}
          maxLength={LONGEST}
          hint={t('Zum Beispiel ein Wunschtermin oder eine Rückfrage.')}
          value={bemerkung}
          onChange={({ target }) => setRemark(target.value)}
        />
        <Actions>
          <Button variant="primary" icon="check" onClick={() => begin(true)}>
            {t('Angebot annehmen')}
          </Button>
          <Button onClick={() => begin(false)}>{t('Angebot ablehnen')}</Button>
        </Actions>
        <p className="soft">{t('Fragen? {kontakt}', { kontakt: contactText(angebot.anbieter) })}</p>
      </div>
      {asking !== null && (
        <Confirmation
          angebot={angebot}
          who={who}
          yes={asking}
          chosen={chosen}
          summen={summen}
          bemerkung={bemerkung.trim()}
          onClose={() => setAsking(null)}
          onSend={async () => {
            await decide({
              angenommen: asking,
              bemerkung: bemerkung.trim(),
              positionen: asking ? [...chosen] : [],
              name: who,
            })
            disarm()
          }}
        />
      )}
    </Card>
  )
}

/**
 * States exactly what is being agreed; § 312j (3) BGB requires the wording of the button, in case the
 * customer is a consumer.
 */
function Confirmation({
  angebot,
  who,
  yes,
  chosen,
  summen,
  bemerkung,
  onClose,
  onSend,
}: {
  angebot: AngebotView
  who: string
  yes: boolean
  chosen: ReadonlySet<string>
  summen: Sums
  bemerkung: string
  onClose: () => void
  onSend: () => Promise<void>
}) {
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
  const what = {
    nummer: angebot.nummer,
    tag: formatDate(angebot.datum),
    kunde: angebot.kunde,
    anbieter: angebot.anbieter.name,
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
        {fault !== null && (
          <Notice tone="danger" title={t('Ihre Antwort ist nicht angekommen')}>
            {fault}
          </Notice>
        )}
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
            <Chosen angebot={angebot} chosen={chosen} />
          </>
        ) : (
          <p>
            {t(
              '{kunde} lehnt das Angebot {nummer} vom {tag} ab. Hier lässt es sich danach nicht mehr annehmen; auf Nachfrage erhalten Sie ein neues.',
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
      </div>
    </Dialog>
  )
}

/** Which of the choices are taken, and which are not. */
function Chosen({ angebot: { positionen }, chosen }: { angebot: AngebotView; chosen: ReadonlySet<string> }) {
  const lists = choiceOf(positionen).map(({ basis, art, options }) => {
    const plain = art === 'position' ? [basis!] : []
    const taken = options.filter((at) => chosen.has(positionen[at]!.id))
    const yes = taken.length > 0 ? taken : plain
    return { yes, no: [...plain, ...options].filter((at) => !yes.includes(at)) }
  })
  const groups = [
    { title: t('Gewählt'), lines: lists.flatMap(({ yes }) => yes) },
    { title: t('Nicht gewählt'), lines: lists.flatMap(({ no }) => no) },
  ].filter(({ lines }) => lines.length > 0)
  if (groups.length === 0) return null
  return (
    <dl className="dok-taken">
      {groups.map(({ title, lines }) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          {lines.map((at) => (
            <dd key={at}>{lineText(positionen[at]!)}</dd>
          ))}
        </Fragment>
      ))}
    </dl>
  )
}

function Decided({
  angebot: { stand, gueltig_bis, entschieden_am, entschieden_von, entschieden_als, entscheidung, anbieter },
}: {
  angebot: AngebotView
}) {
  const wer = { tag: formatDate(entschieden_am), name: entschieden_von ?? '' }
  const text =
    stand === 'angenommen'
      ? entschieden_als === 'intern'
        ? t('Angenommen am {tag}, eingetragen von {name}.', wer)
        : t('Angenommen am {tag} von {name}.', wer)
      : stand === 'abgelehnt'
        ? entschieden_als === 'intern'
          ? t('Abgelehnt am {tag}, eingetragen von {name}.', wer)
          : t('Abgelehnt am {tag} von {name}.', wer)
        : stand === 'ersetzt'
          ? t(
              'Dieses Angebot wurde durch eine neue Fassung ersetzt. Sobald sie ausgestellt ist, steht sie bei Ihren Dokumenten.',
            )
          : t(
              'Dieses Angebot galt bis zum {tag}. Möchten Sie es noch annehmen, fragen Sie bitte nach einem neuen.',
              {
                tag: formatDate(gueltig_bis),
              },
            )
  return (
    <Card title={t('Ihre Antwort')}>
      <div className="stack">
        <p>{text}</p>
        {entscheidung !== '' && <p className="beleg-pre soft">{entscheidung}</p>}
        <p className="soft">{t('Fragen? {kontakt}', { kontakt: contactText(anbieter) })}</p>
      </div>
    </Card>
  )
}
