// The customer's answer to an offer, or what was answered.
import { type Ref, useRef, useState } from 'react'
import type { AngebotView } from '#contract/document.ts'
import type { BelegSums } from '#domain/beleg.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { TextAreaField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Linked } from '../../ui/Linked.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { AnswerDialog } from './AnswerDialog.tsx'
import type { Chosen } from './angebot-choice.ts'
import { Contact } from './Contact.tsx'
import type { Decision } from './documents.data.ts'

export interface AngebotProps {
  angebot: AngebotView
  /** Name of the person answering; null: the form asks for it. */
  wer: string | null
  /** Rejects with an error whose message is shown to the person. */
  decide: (decision: Decision & { readonly name: string }) => Promise<unknown>
}

const LONGEST = 2000
const LONGEST_NAME = 200

export function AngebotAnswer({
  angebot,
  wer,
  chosen,
  summen,
  decide,
}: AngebotProps & { chosen: Chosen; summen: BelegSums }) {
  const [remark, setRemark] = useState('')
  const [name, setName] = useState('')
  const [tried, setTried] = useState(false)
  const [asking, setAsking] = useState<boolean | null>(null)
  const nameField = useRef<HTMLInputElement>(null)
  const who = wer ?? name.trim()
  const disarm = useUnsavedChanges(remark !== '' || name !== '')
  const begin = (yes: boolean) => {
    setTried(true)
    if (who === '') nameField.current?.focus()
    else setAsking(yes)
  }
  const send = async (yes: boolean) => {
    await decide({
      angenommen: yes,
      bemerkung: remark.trim(),
      positionen: yes ? [...chosen] : [],
      name: who,
    })
    disarm()
  }
  return (
    <Card title={t('Ihre Antwort')}>
      <div className="stack">
        <p>
          {t(
            'Das Angebot gilt bis zum {tag}. Vor dem Absenden sehen Sie noch einmal alles auf einen Blick.',
            { tag: formatDate(angebot.gueltig_bis) },
          )}
        </p>
        {wer === null && (
          <NameField ref={nameField} value={name} isMissing={tried && who === ''} onChange={setName} />
        )}
        <TextAreaField
          label={t('Bemerkung (freiwillig)')}
          rows={3}
          maxLength={LONGEST}
          hint={t('Zum Beispiel ein Wunschtermin oder eine Rückfrage.')}
          value={remark}
          onChange={({ target }) => setRemark(target.value)}
        />
        <Actions>
          <Button variant="primary" icon="check" onClick={() => begin(true)}>
            {t('Angebot annehmen')}
          </Button>
          <Button onClick={() => begin(false)}>{t('Angebot ablehnen')}</Button>
        </Actions>
        <Questions anbieter={angebot.anbieter} />
      </div>
      {asking !== null && (
        <AnswerDialog
          angebot={angebot}
          who={who}
          yes={asking}
          chosen={chosen}
          summen={summen}
          bemerkung={remark.trim()}
          onClose={() => setAsking(null)}
          onSend={() => send(asking)}
        />
      )}
    </Card>
  )
}

function NameField({
  ref,
  value,
  isMissing,
  onChange,
}: {
  ref: Ref<HTMLInputElement>
  value: string
  isMissing: boolean
  onChange: (name: string) => void
}) {
  return (
    <TextField
      ref={ref}
      label={t('Ihr Vor- und Nachname')}
      required
      maxLength={LONGEST_NAME}
      autoComplete="name"
      value={value}
      error={
        isMissing ? t('Bitte geben Sie Ihren Namen an: Er wird mit Ihrer Antwort festgehalten.') : undefined
      }
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

export function Decided({
  angebot: { stand, gueltig_bis, entschieden_am, entschieden_von, entschieden_als, entscheidung, anbieter },
}: {
  angebot: AngebotView
}) {
  const who = { tag: formatDate(entschieden_am), name: entschieden_von ?? '' }
  const text =
    stand === 'angenommen'
      ? entschieden_als === 'intern'
        ? t('Angenommen am {tag}, eingetragen von {name}.', who)
        : t('Angenommen am {tag} von {name}.', who)
      : stand === 'abgelehnt'
        ? entschieden_als === 'intern'
          ? t('Abgelehnt am {tag}, eingetragen von {name}.', who)
          : t('Abgelehnt am {tag} von {name}.', who)
        : stand === 'ersetzt'
          ? t(
              'Dieses Angebot wurde durch eine neue Fassung ersetzt. Sobald sie ausgestellt ist, steht sie bei ' +
                'Ihren Dokumenten.',
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
        <Questions anbieter={anbieter} />
      </div>
    </Card>
  )
}

const Questions = ({ anbieter }: Pick<AngebotView, 'anbieter'>) => (
  <p className="soft">
    <Linked text={t('Fragen? {kontakt}')} parts={{ kontakt: <Contact {...anbieter} /> }} />
  </p>
)
