// Records the customer's decision on an offer: who decided, and which optional lines were chosen.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choiceOf, orderedSums } from '#domain/angebot.ts'
import { formatEuro } from '#domain/geld.ts'
import { belegBasisOf } from '#domain/rechnung.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Segments } from '../../../ui/Choice.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { type Angebot, type Position, positionsQuery, previewQuery, useBelegAct } from '../beleg.data.ts'
import { positionKindText } from '../position/position-words.ts'

const NONE: readonly Position[] = []
const lineText = ({ nr, bez, betrag }: Position): string => `${nr} ${bez}, ${formatEuro(betrag)}`

interface Decision {
  readonly angenommen: 'ja' | 'nein'
  readonly wer: string
  readonly bemerkung: string
  /** Ids of the chosen lines. */
  readonly chosen: ReadonlySet<number>
}
const check = (typed: Decision) =>
  unlessFaulty(typed, { wer: typed.wer.trim() === '' ? t('Diese Angabe fehlt.') : undefined })

const useDecide = (offer_id: number) =>
  useBelegAct(({ angenommen, wer, bemerkung, chosen }: Decision) =>
    rpc('a_decide_offer', {
      offer_id,
      angenommen: angenommen === 'ja',
      wer: wer.trim(),
      bemerkung: bemerkung.trim(),
      positionen: angenommen === 'ja' ? [...chosen] : [],
    }),
  )

export function DecisionDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const lines = useQuery(positionsQuery('angebot', String(angebot.id), angebot.version)).data ?? NONE
  const decide = useDecide(angebot.id)
  const [initial] = useState<Decision>(() => ({
    angenommen: angebot.status === 'angenommen' ? 'nein' : 'ja',
    wer: '',
    bemerkung: '',
    chosen: new Set(),
  }))
  const { frame, text, values, set } = useDialogForm({
    initial,
    check,
    guarded: false,
    faultsFrom: 'sending',
    send: (decision) => decide.mutateAsync(decision),
    onSent: () => {
      toast.success(t('Die Entscheidung ist eingetragen.'))
      onClose()
    },
  })
  const { angenommen, chosen } = values
  return (
    <FormDialog
      {...frame}
      title={t('Entscheidung eintragen')}
      submitLabel={t('Eintragen')}
      faultTitle={t('Nicht eingetragen')}
      onClose={onClose}
    >
      <Segments
        label={t('Entscheidung')}
        value={angenommen}
        options={[
          { value: 'ja', label: t('Angenommen') },
          { value: 'nein', label: t('Abgelehnt') },
        ]}
        onChange={(given) => set({ angenommen: given })}
      />
      <TextField
        label={t('Wer hat entschieden?')}
        required
        maxLength={200}
        autoComplete="off"
        hint={t('Name und Weg, zum Beispiel „Frau Holz, telefonisch“.')}
        {...text('wer')}
      />
      {angenommen === 'ja' && (
        <OptionalLines lines={lines} chosen={chosen} onChoose={(next) => set({ chosen: next })} />
      )}
      {angenommen === 'ja' && <OrderSum angebot={angebot} lines={lines} chosen={chosen} />}
      <TextAreaField label={t('Bemerkung')} maxLength={2000} {...text('bemerkung')} />
    </FormDialog>
  )
}

function OrderSum({
  angebot,
  lines,
  chosen,
}: {
  angebot: Angebot
  lines: readonly Position[]
  chosen: ReadonlySet<number>
}) {
  const beleg = useQuery(previewQuery('angebot', String(angebot.id), angebot.version)).data
  if (beleg === undefined) return null
  const { brutto, netto } = orderedSums({
    ...belegBasisOf(beleg),
    positionen: lines.map((line) => ({ ...line, gewaehlt: chosen.has(line.id) })),
  })
  return (
    <output className="beleg-auftrag">
      {t('Auftragssumme: {brutto} brutto, {netto} netto', {
        brutto: formatEuro(brutto),
        netto: formatEuro(netto),
      })}
    </output>
  )
}

interface OptionalLinesProps {
  lines: readonly Position[]
  chosen: ReadonlySet<number>
  onChoose: (chosen: ReadonlySet<number>) => void
}

function OptionalLines({ lines, chosen, onChoose }: OptionalLinesProps) {
  const choices = choiceOf(lines)
  if (choices.length === 0) return null
  /** At most one line per group of alternatives. */
  const choose = (options: readonly Position[], taken: number | undefined) => {
    const others = new Set(options.map(({ id }) => id))
    const kept = [...chosen].filter((id) => !others.has(id))
    onChoose(new Set(taken === undefined ? kept : [...kept, taken]))
  }
  return (
    <fieldset className="field-group">
      <legend>{t('Welche der freigestellten Positionen?')}</legend>
      {choices.map(({ basis, art, options: places }) => {
        const options = places.map((at) => lines[at]!)
        return (
          <Alternatives
            key={options[0]!.id}
            plain={art === 'position' ? lines[basis!]! : null}
            options={options}
            taken={options.find(({ id }) => chosen.has(id))?.id}
            onTake={(id) => choose(options, id)}
          />
        )
      })}
    </fieldset>
  )
}

function Alternatives({
  plain,
  options,
  taken,
  onTake,
}: {
  /** The line that the options replace. */
  plain: Position | null
  options: readonly Position[]
  taken: number | undefined
  onTake: (id: number | undefined) => void
}) {
  const first = options[0]!
  if (plain === null && options.length === 1)
    return (
      <Checkbox
        label={`${lineText(first)} (${positionKindText(first.art)})`}
        checked={taken !== undefined}
        onChange={({ target }) => onTake(target.checked ? first.id : undefined)}
      />
    )
  const none = plain === null ? t('keine davon') : t('wie angeboten: {was}', { was: lineText(plain) })
  return (
    <SelectField
      label={t('Position {nr}', { nr: (plain ?? first).nr })}
      value={String(taken ?? '')}
      onChange={({ target }) => onTake(target.value === '' ? undefined : Number(target.value))}
      options={[
        { value: '', label: none },
        ...options.map((line) => ({ value: String(line.id), label: lineText(line) })),
      ]}
    />
  )
}
