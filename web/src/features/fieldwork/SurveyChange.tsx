// Changes a known survey object, or one that waits.
import { useState } from 'react'
import { fieldsOf } from '#domain/vermessung/fields.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { presentTime } from './device-clock.ts'
import type { FieldworkDraft, FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import type { ObjectSituation } from './queue-read.ts'
import { saveChange } from './queue.ts'
import { SurveyEditor } from './SurveyEditor.tsx'
import { inputsOf } from '../../record/kataster/survey-form.ts'
import { placesText, parsePlaces } from '../../karte/survey-place.ts'
import { objectName } from './survey-words.ts'
import { type SurveyStart, stateOfDraft, useSurveyForm } from './use-survey-form.ts'

interface Props {
  lage: ObjectSituation
  entwurf: FieldworkDraft | undefined
  packet: FieldworkPacket
  onDone: () => void
}

/** What the form was opened with; a sync in between does not change it. */
function useOpening({ view, object }: ObjectSituation, draft: FieldworkDraft | undefined) {
  const [opening] = useState(() => {
    const { kennung, tabelle, werte } = view
    const parts = parsePlaces(String(werte['lage'] ?? ''))
    const inputs = inputsOf(tabelle, werte)
    const start: SurveyStart = {
      kennung,
      tabelle,
      parts,
      inputs,
      ...(draft !== undefined && stateOfDraft(draft)),
      entwurf: draft ?? null,
    }
    return {
      start,
      inputs,
      lage: placesText(parts),
      viewed: { version: object?.baum.version ?? null, werte },
    }
  })
  return opening
}

export function SurveyChange({ lage, entwurf, packet, onDone }: Props) {
  const { db, sub } = useFieldwork()
  const { kennung, tabelle, werte } = lage.view
  const { start, inputs, lage: placeBefore, viewed } = useOpening(lage, entwurf)
  const [leaving, setLeaving] = useState(false)
  const form = useSurveyForm({
    start,
    idHQ: packet.idHQ,
    name: kennung,
    store: async (values) => {
      // What was not touched is not sent: the text of a value may be shorter than the value.
      const changed = Object.fromEntries(
        fieldsOf(tabelle)
          .filter(({ name }) => form.state.inputs[name] !== inputs[name])
          .map(({ name }) => [name, values[name] ?? null]),
      )
      const moved = placesText(form.state.parts) !== placeBefore
      await saveChange(db, {
        sub,
        kennung,
        werte: { ...changed, ...(moved && { lage: values['lage']! }) },
        viewed,
        entwurf: kennung,
        present: presentTime(),
      })
      toast.success(t('{name} ist auf diesem Gerät gespeichert.', { name: objectName(tabelle, werte) }))
      onDone()
    },
  })
  const isChanged = () =>
    placesText(form.state.parts) !== placeBefore ||
    fieldsOf(tabelle).some(({ name }) => form.state.inputs[name] !== inputs[name])
  const leave = () => form.discard().then(onDone)
  return (
    <>
      <SurveyEditor
        form={form}
        start={start}
        packet={packet}
        neu={false}
        title={
          <header className="erf-kopf">
            <h2>{t('{name} ändern', { name: objectName(tabelle, werte) })}</h2>
          </header>
        }
        actions={
          <>
            <Button
              disabled={form.busy}
              onClick={() => (isChanged() ? setLeaving(true) : void leave().catch(form.refuse))}
            >
              {t('Abbrechen')}
            </Button>
            <Button variant="primary" busy={form.busy} onClick={() => void form.save()}>
              {t('Speichern')}
            </Button>
          </>
        }
      />
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Änderungen verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={leave}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Was Sie hier geändert haben, ist dann weg.')}</p>
      </ConfirmDialog>
    </>
  )
}
