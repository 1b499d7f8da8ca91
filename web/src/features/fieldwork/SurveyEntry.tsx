// Captures a new survey object, and then the next one. Unsaved input is restored when the form is opened again.
import { useEffect, useRef, useState } from 'react'
import type { Table } from '#domain/vermessung/fields.ts'
import { newId } from '../../data/new-id.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { presentTime } from './device-clock.ts'
import { type FieldworkPacket, persistent } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { PhotoBar } from './PhotoBar.tsx'
import { draftName, fetchNewDraft, saveNewObject } from './queue.ts'
import { SurveyEditor } from './SurveyEditor.tsx'
import { type SurveyStart, stateOfDraft, useSurveyForm } from './use-survey-form.ts'

/** The next one is of the same kind, and most of its attributes are its own. */
const fresh = (table: Table): SurveyStart => ({
  kennung: newId(),
  tabelle: table,
  parts: [],
  inputs: {},
  entwurf: null,
})

export function SurveyEntry({ packet }: { packet: FieldworkPacket }) {
  const { db, sub } = useFieldwork()
  const [start, setStart] = useState<SurveyStart | null>(null)
  const [fault, setError] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    void fetchNewDraft(db, sub, 'neu-vermessung', packet.idHQ).then(
      (own) => {
        if (gone) return
        setStart(
          own === undefined ? fresh('schacht') : { ...stateOfDraft(own), kennung: own.kennung, entwurf: own },
        )
      },
      (error: unknown) => !gone && setError(error),
    )
    // Ask the browser once not to evict captured data when space runs out.
    void persistent()
    return () => {
      gone = true
    }
  }, [db, sub, packet.idHQ])
  if (fault !== null) return <ErrorState error={fault} />
  if (start === null) return <Skeleton lines={8} />
  return (
    <FormBody key={start.kennung} packet={packet} start={start} onNext={(table) => setStart(fresh(table))} />
  )
}

interface Props {
  packet: FieldworkPacket
  start: SurveyStart
  onNext: (tabelle: Table) => void
}
function FormBody({ packet, start, onNext }: Props) {
  const { db, sub } = useFieldwork()
  const view = useView()
  const [leaving, setLeaving] = useState(false)
  const advance = useRef(false)
  const name = draftName('neu-vermessung', packet.idHQ)
  const form = useSurveyForm({
    start,
    idHQ: packet.idHQ,
    name,
    store: async (values, table) => {
      const { kennung } = start
      const { idHQ } = packet
      const ersatz = newId()
      const present = presentTime()
      const id = await saveNewObject(db, {
        sub,
        kennung,
        idHQ,
        tabelle: table,
        werte: values,
        entwurf: name,
        ersatz,
        present,
      })
      toast.success(t('{name} ist auf diesem Gerät gespeichert.', { name: kindWords(table).one }))
      if (advance.current) {
        onNext(table)
        window.scrollTo({ top: 0 })
      } else view.go(`/feld/objekt/${id}`)
    },
  })
  const [taking, setTaking] = useState(false)
  const busy = form.busy || taking
  const photos = useRef(0)
  /** A photo alone is worth a draft: without one nobody would know whose it is. */
  const countPhotos = (count: number) => {
    if (count > photos.current) form.change((before) => ({ ...before }))
    photos.current = count
  }
  const save = (next: boolean) => {
    advance.current = next
    void form.save()
  }
  return (
    <>
      <SurveyEditor
        form={form}
        start={start}
        packet={packet}
        neu
        reading={taking}
        fotos={
          <section className="erf-teil" aria-label={t('Fotos')}>
            <PhotoBar
              baum={start.kennung}
              idHQ={packet.idHQ}
              stand="entwurf"
              onCount={countPhotos}
              onTaking={setTaking}
            />
          </section>
        }
        title={<EntryHead begun={start.entwurf} busy={taking} onDiscard={() => setLeaving(true)} />}
        actions={
          <>
            <Button busy={busy} onClick={() => save(false)}>
              {t('Speichern')}
            </Button>
            <Button variant="primary" busy={busy} onClick={() => save(true)}>
              {t('Speichern und nächstes')}
            </Button>
          </>
        }
      />
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Begonnene Erfassung verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={async () => {
          await form.discard()
          setLeaving(false)
          onNext(form.state.tabelle)
        }}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Die Angaben und ihre Fotos sind dann weg.')}</p>
      </ConfirmDialog>
    </>
  )
}

interface HeadProps {
  begun: SurveyStart['entwurf']
  busy: boolean
  onDiscard: () => void
}
function EntryHead({ begun, busy, onDiscard }: HeadProps) {
  return (
    <>
      <h2 className="visually-hidden">{t('Neues Vermessungsobjekt')}</h2>
      {begun !== null && (
        <Notice
          tone="info"
          title={t('Begonnene Erfassung')}
          actions={
            <Button size="small" busy={busy} onClick={onDiscard}>
              {t('Verwerfen')}
            </Button>
          }
        >
          {t(
            'Was Sie am {when} begonnen haben, ist wieder da. Prüfen Sie die Position, wenn Sie inzwischen ' +
              'woanders stehen.',
            { when: formatDateTime(begun.am) },
          )}
        </Notice>
      )}
    </>
  )
}
