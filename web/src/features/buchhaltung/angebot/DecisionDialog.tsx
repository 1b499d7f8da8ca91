// Records the customer's decision on an offer: who decided, and which optional lines were chosen.
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { orderedSums, choiceOf } from '#domain/angebot.ts'
import { formatEuro } from '#domain/geld.ts'
import { belegBasisOf } from '#domain/rechnung.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Segments } from '../../../ui/Choice.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { type Angebot, type Position, positionsQuery, useBelegAct, previewQuery } from '../beleg.data.ts'
import { positionKindText } from '../position/position-words.ts'

const NONE: readonly Position[] = []
const lineText = ({ nr, bez, betrag }: Position): string => `${nr} ${bez}, ${formatEuro(betrag)}`

export function DecisionDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const formId = useId()
  const lines = useQuery(positionsQuery('angebot', String(angebot.id), angebot.version)).data ?? NONE
  const beleg = useQuery(previewQuery('angebot', String(angebot.id), angebot.version)).data
  const choices = choiceOf(lines)
  const [angenommen, setAccepted] = useState<'ja' | 'nein'>(angebot.status === 'angenommen' ? 'nein' : 'ja')
  const [wer, setWho] = useState('')
  const [bemerkung, setRemark] = useState('')
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
  const sums =
    beleg &&
    orderedSums({
      ...belegBasisOf(beleg),
      positionen: lines.map((line) => ({ ...line, gewaehlt: chosen.has(line.id) })),
    })
  /** At most one line per group of alternatives. */
  const choose = (options: readonly number[], taken: number | undefined) => {
    const others = new Set(options.map((at) => lines[at]!.id))
    setChosen(
      new Set([...[...chosen].filter((id) => !others.has(id)), ...(taken === undefined ? [] : [taken])]),
    )
  }
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
          onChange={setAccepted}
        />
        <TextField
          label={t('Wer hat entschieden?')}
          required
          maxLength={200}
          autoComplete="off"
          hint={t('Name und Weg, zum Beispiel „Frau Holz, telefonisch“.')}
          value={wer}
          error={tried && wer.trim() === '' ? t('Diese Angabe fehlt.') : undefined}
          onChange={({ target }) => setWho(target.value)}
        />
        {angenommen === 'ja' && choices.length > 0 && (
          <fieldset className="field-group">
            <legend>{t('Welche der freigestellten Positionen?')}</legend>
            {choices.map(({ basis, art, options }) => {
              const first = lines[options[0]!]!
              const plain = art === 'position' ? lines[basis!]! : null
              if (plain === null && options.length === 1)
                return (
                  <Checkbox
                    key={first.id}
                    label={`${lineText(first)} (${positionKindText(first.art)})`}
                    checked={chosen.has(first.id)}
                    onChange={({ target }) => choose(options, target.checked ? first.id : undefined)}
                  />
                )
              return (
                <SelectField
                  key={first.id}
                  label={t('Position {nr}', { nr: (plain ?? first).nr })}
                  value={String(options.map((at) => lines[at]!.id).find((id) => chosen.has(id)) ?? '')}
                  onChange={({ target }) =>
                    choose(options, target.value === '' ? undefined : Number(target.value))
                  }
                  options={[
                    {
                      value: '',
                      label:
                        plain === null
                          ? t('keine davon')
                          : t('wie angeboten: {was}', { was: lineText(plain) }),
                    },
                    ...options.map((at) => ({ value: String(lines[at]!.id), label: lineText(lines[at]!) })),
                  ]}
                />
              )
            })}
          </fieldset>
        )}
        {angenommen === 'ja' && sums && (
          <output className="beleg-auftrag">
            {t('Auftragssumme: {brutto} brutto, {netto} netto', {
              brutto: formatEuro(sums.brutto),
              netto: formatEuro(sums.netto),
            })}
          </output>
        )}
        <TextAreaField
          label={t('Bemerkung')}
          maxLength={2000}
          value={bemerkung}
          onChange={({ target }) => setRemark(target.value)}
        />
      </form>
    </Dialog>
  )
}
