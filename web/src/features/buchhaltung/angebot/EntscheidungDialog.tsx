// What the customer said to an offer, noted by the office: who, and which optional lines were chosen.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Segments } from '../../../ui/Choice.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { type Angebot, positionenQuery, useBelegAct } from '../beleg.data.ts'
import { positionArtText } from '../position/position-words.ts'

export function EntscheidungDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const formId = useId()
  const lines = useQuery(positionenQuery('angebot', String(angebot.id), angebot.version)).data ?? []
  const open = lines.filter(({ art }) => art === 'optional' || art === 'alternativ')
  const [angenommen, setAngenommen] = useState<'ja' | 'nein'>(angebot.status === 'angenommen' ? 'nein' : 'ja')
  const [wer, setWer] = useState('')
  const [bemerkung, setBemerkung] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set())
  const [tried, setTried] = useState(false)
  const decide = useBelegAct(() =>
    rpc('a_decide_offer', {
      offer_id: angebot.id,
      angenommen: angenommen === 'ja',
      wer: wer.trim(),
      bemerkung: bemerkung.trim(),
      positionen: angenommen === 'ja' ? [...chosen] : [],
    }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (wer.trim() === '' || decide.isPending) return
    decide.mutate(undefined, {
      onSuccess: () => {
        toast.success(t('Die Entscheidung ist eingetragen.'))
        onClose()
      },
    })
  }
  return (
    <Dialog
      open
      title={t('Entscheidung eintragen')}
      onClose={onClose}
      dismissible={!decide.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={decide.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="primary" busy={decide.isPending}>
            {t('Eintragen')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={submit}>
        {decide.isError && (
          <Notice tone="danger" title={t('Nicht eingetragen')}>
            {messageOf(decide.error)}
          </Notice>
        )}
        <Segments
          label={t('Entscheidung')}
          value={angenommen}
          options={[
            { value: 'ja', label: t('Angenommen') },
            { value: 'nein', label: t('Abgelehnt') },
          ]}
          onChange={setAngenommen}
        />
        <TextField
          label={t('Wer hat entschieden?')}
          required
          maxLength={200}
          autoComplete="off"
          hint={t('Name und Weg, zum Beispiel „Frau Holz, telefonisch“.')}
          value={wer}
          error={tried && wer.trim() === '' ? t('Diese Angabe fehlt.') : undefined}
          onChange={({ target }) => setWer(target.value)}
        />
        {angenommen === 'ja' && open.length > 0 && (
          <fieldset className="field-group">
            <legend>{t('Welche der freigestellten Positionen?')}</legend>
            {open.map(({ id, nr, bez, art, betrag }) => (
              <Checkbox
                key={id}
                label={`${nr} ${bez} (${positionArtText(art)}, ${formatEuro(betrag)})`}
                checked={chosen.has(id)}
                onChange={({ target }) =>
                  setChosen(target.checked ? new Set([...chosen, id]) : new Set([...chosen].filter((one) => one !== id)))
                }
              />
            ))}
          </fieldset>
        )}
        <TextAreaField label={t('Bemerkung')} maxLength={2000} value={bemerkung} onChange={({ target }) => setBemerkung(target.value)} />
      </form>
    </Dialog>
  )
}
