// The area that a walked border encloses: its size, what was done to the line, and saving it as a proposal.
import { useState } from 'react'
import { type AreaFault, SNAP_BORDER_M, TOLERANCES, type WalkedArea } from '#domain/border/area.ts'
import { newId } from '../../data/new-id.ts'
import { Button } from '../../ui/Button.tsx'
import { fact, Facts, Notice } from '../../ui/Display.tsx'
import { Checkbox, SelectField, TextAreaField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { ToldError } from '../../ui/told-error.ts'
import { useView } from '../../ui/view.tsx'
import { addressOf, borderValues } from './border-draft.ts'
import { presentTime } from './device-clock.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { bestandText, detailsOf } from './packet.ts'
import { draftName, saveNewBorder } from './queue.ts'
import type { BorderModel } from './use-border.ts'

interface Props {
  packet: FieldworkPacket
  border: BorderModel
  area: WalkedArea
  kennung: string
  onStep: (step: 'spur') => void
  onDiscard: () => void
}

function faultText(fault: AreaFault): string {
  switch (fault) {
    case 'wenig':
      return t('Aus dieser Spur wird keine Fläche. Gehen Sie weiter um den Bestand herum.')
    case 'klein':
      return t('Die Fläche ist kleiner als 10 m². Gehen Sie weiter um den Bestand herum.')
    case 'gross':
      return t('Die Fläche ist größer als 10.000 ha. Bitte prüfen Sie die Punkte auf der Karte.')
    case 'ecken':
      return t('Die Grenze hat mehr als 5.000 Ecken. Wählen Sie eine größere Toleranz.')
    case 'kreuzt':
      return t(
        'Die Linie kreuzt sich so, dass zwei Flächen entstehen (rote Kreuze). Nehmen Sie Punkte zurück, bis sie ' +
          'sich nicht mehr kreuzt, und gehen Sie das Stück noch einmal.',
      )
  }
}

function useSave({ packet, border, area, kennung }: Props) {
  const { db, sub } = useFieldwork()
  const { go } = useView()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { state } = border
  const stand = detailsOf(packet).bestaende.find(({ id }) => id === state.bestandId)
  const save = async () => {
    const typed = addressOf(
      stand === undefined ? state.address : [...stand.l, stand.s].map((one) => String(one ?? '')),
    )
    if (busy) return
    if (typeof typed === 'string' || (state.bestandId !== null && stand === undefined))
      return setFault(
        t('Diesen Bestand gibt es im Paket nicht mehr. Nehmen Sie die Grenze als neuen Bestand auf.'),
      )
    setBusy(true)
    setFault(null)
    try {
      await border.end()
      const now = presentTime()
      const id = await saveNewBorder(db, {
        sub,
        kennung,
        idHQ: packet.idHQ,
        werte: borderValues(state, typed, area.ring, { packet, now }),
        entwurf: draftName('grenze', packet.idHQ),
        ersatz: newId(),
        present: now,
      })
      toast.success(t('Die Grenze ist auf diesem Gerät gespeichert.'))
      go(`/feld/grenze/${id}`)
    } catch (error) {
      border.goOn()
      setBusy(false)
      setFault(
        error instanceof ToldError
          ? error.message
          : t('Das Speichern ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.'),
      )
    }
  }
  return { busy, fault, save, stand }
}

export function BorderArea(props: Props) {
  const { packet, border, area, onStep, onDiscard } = props
  const { state, change } = border
  const { busy, fault, save, stand } = useSave(props)
  const removed = area.crossings.reduce((sum, one) => sum + one.area, 0)
  const difference = stand === undefined ? null : area.ha - stand.ha
  return (
    <>
      <h2>{stand === undefined ? t('Neuer Bestand') : bestandText(stand, packet.ebenen)}</h2>
      {area.fault !== null && (
        <Notice tone="danger" title={t('So geht es nicht')}>
          {faultText(area.fault)}
        </Notice>
      )}
      {area.fault === null && area.crossings.length > 0 && (
        <Notice tone="warning" title={t('Kleine Schleifen sind entfernt')}>
          {area.crossings.length === 1
            ? t('Die Linie kreuzte sich an einer Stelle (rotes Kreuz). Weggelassen sind {m} m².', {
                m: formatNumber(Math.round(removed)),
              })
            : t('Die Linie kreuzte sich an {n} Stellen (rote Kreuze). Weggelassen sind zusammen {m} m².', {
                n: formatNumber(area.crossings.length),
                m: formatNumber(Math.round(removed)),
              })}
        </Notice>
      )}
      <Facts
        facts={[
          fact(t('Fläche'), t('{n} ha', { n: formatNumber(area.ha, 4) })),
          fact(
            t('Fläche im Plan'),
            stand === undefined || difference === null
              ? null
              : t('{n} ha ({d} ha)', {
                  n: formatNumber(stand.ha, 4),
                  d: `${difference < 0 ? '−' : '+'}${formatNumber(Math.abs(difference), 4)}`,
                }),
          ),
          fact(
            t('Ecken'),
            t('{n} von {all} Punkten', { n: area.ring.length, all: formatNumber(state.points.length) }),
          ),
          fact(
            t('An Nachbarn angelegt'),
            area.snapped === 0
              ? t('keine Ecke')
              : area.snapped === 1
                ? t('1 Ecke')
                : t('{n} Ecken', { n: area.snapped }),
          ),
        ]}
      />
      <SelectField
        label={t('Toleranz')}
        hint={t('So weit darf die Grenze höchstens von der gegangenen Linie abweichen.')}
        options={TOLERANCES.map((one) => ({
          value: String(one),
          label: t('{n} m', { n: formatNumber(one) }),
        }))}
        value={String(state.tolerance)}
        onChange={({ target }) => change({ tolerance: Number(target.value) })}
      />
      <Checkbox
        label={t('An Nachbargrenzen und Vermessung anlegen (bis {n} m)', { n: SNAP_BORDER_M })}
        checked={state.snaps}
        onChange={({ target }) => change({ snaps: target.checked })}
      />
      <TextAreaField
        label={t('Bemerkung')}
        maxLength={2000}
        value={state.comment}
        onChange={({ target }) => change({ comment: target.value })}
      />
      <p className="soft">
        {t('Der Plan ändert sich erst, wenn die Grenze im Büro auf der Karte geprüft und übernommen ist.')}
      </p>
      {fault !== null && (
        <p className="field-error" role="alert">
          {fault}
        </p>
      )}
      <div className="erf-taten">
        <Button onClick={() => onStep('spur')}>{t('Zurück zur Spur')}</Button>
        <Button onClick={onDiscard}>{t('Verwerfen')}</Button>
        <Button variant="primary" busy={busy} disabled={area.fault !== null} onClick={() => void save()}>
          {t('Vorschlag speichern')}
        </Button>
      </div>
    </>
  )
}
