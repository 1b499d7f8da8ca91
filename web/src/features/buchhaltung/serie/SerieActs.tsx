// What can be done with a recurring invoice: change, take over from its last invoice, pause, end, delete.
import { useState } from 'react'
import type { Serie, SerieValues } from '#contract/serie.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useView } from '../../../ui/view.tsx'
import { SERIEN_PATH, useSerieAct } from './serie.data.ts'

const EditSerieDialog = splitOff(async () => (await import('./SerieDialog.tsx')).EditSerieDialog)

export function SerieActs({ serie }: { serie: Serie }) {
  const [open, setOpen] = useState<'aendern' | 'uebernehmen' | 'beenden' | 'loeschen' | null>(null)
  const close = () => setOpen(null)
  const save = useSave(serie)
  const last = serie.laeufe.find(({ rechnung_id }) => rechnung_id !== null)
  const isPaused = serie.zustand === 'pausiert'
  const isBegun = serie.laeufe.some(({ art }) => art === 'entwurf')
  return (
    <>
      <Button icon="edit" onClick={() => setOpen('aendern')}>
        {t('Ändern')}
      </Button>
      {last && <Button onClick={() => setOpen('uebernehmen')}>{t('Letzte Rechnung übernehmen')}</Button>}
      {serie.naechste.length > 0 && (
        <>
          <Button
            busy={save.isPending}
            onClick={() =>
              save.put(
                { zustand: isPaused ? 'aktiv' : 'pausiert' },
                isPaused
                  ? t('Es geht weiter. Was inzwischen fällig war, steht in der Vorschau.')
                  : t('Pausiert: Bis auf Weiteres ist nichts fällig.'),
              )
            }
          >
            {isPaused ? t('Fortsetzen') : t('Pausieren')}
          </Button>
          <Button onClick={() => setOpen('beenden')}>{t('Beenden')}</Button>
        </>
      )}
      {!isBegun && (
        <Button icon="trash" onClick={() => setOpen('loeschen')}>
          {t('Löschen')}
        </Button>
      )}
      {open === 'aendern' && <EditSerieDialog serie={serie} onClose={close} />}
      {open === 'beenden' && <EndDialog serie={serie} onClose={close} />}
      {open === 'loeschen' && <DeleteDialog serie={serie} onClose={close} />}
      <ConfirmDialog
        open={open === 'uebernehmen'}
        title={t('Vorlage ersetzen?')}
        record={serie.titel}
        confirmLabel={t('Übernehmen')}
        busy={save.isPending}
        onConfirm={() =>
          save.send({ rechnung_id: last?.rechnung_id ?? 0 }).then(() => {
            toast.success(t('Die Vorlage ist ersetzt.'))
            close()
          })
        }
        onCancel={close}
      >
        <p>
          {t(
            'Positionen, Texte und Konditionen kommen dann aus {nummer} ({zeitraum}). Platzhalter wie den Zeitraum ' +
              'tragen Sie danach bitte wieder ein.',
            { nummer: last?.nummer ?? t('dem Entwurf'), zeitraum: last?.zeitraum ?? '' },
          )}
        </p>
      </ConfirmDialog>
    </>
  )
}

function useSave({ id, version }: Serie) {
  const save = useSerieAct((values: SerieValues) =>
    rpc('a_save_serie', { serie_id: id, version, werte: values }),
  )
  return {
    isPending: save.isPending,
    send: (values: SerieValues) => save.mutateAsync(values),
    put: (values: SerieValues, done: string) =>
      save.mutate(values, {
        onSuccess: () => toast.success(done),
        onError: (error) => toast.error(messageOf(error)),
      }),
  }
}

function EndDialog({ serie, onClose }: { serie: Serie; onClose: () => void }) {
  const save = useSave(serie)
  const { frame, live } = useDialogForm({
    initial: { ende: formatDate(today() < serie.beginn ? serie.beginn : today()) },
    check: ({ ende }) =>
      unlessFaulty(parseDay(ende) ?? '', { ende: parseDay(ende) === null ? dayExpected() : undefined }),
    guarded: false,
    send: (end) => save.send({ ende: end }),
    onSent: () => {
      toast.success(t('Der letzte Tag ist eingetragen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Wiederkehrende Rechnung beenden')}
      submitLabel={t('Beenden')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>{t('Nach diesem Tag beginnt kein Zeitraum mehr. Was bis dahin begonnen hat, bleibt fällig.')}</p>
      <DateField label={t('Letzter Tag')} required {...live('ende')} />
    </FormDialog>
  )
}

function DeleteDialog({ serie: { id, version, titel }, onClose }: { serie: Serie; onClose: () => void }) {
  const view = useView()
  const remove = useSerieAct(() => rpc('a_delete_serie', { serie_id: id, version }))
  return (
    <ConfirmDialog
      open
      title={t('Wiederkehrende Rechnung löschen?')}
      record={titel}
      confirmLabel={t('Löschen')}
      danger
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutateAsync().then(() => {
          toast.success(t('Die wiederkehrende Rechnung ist gelöscht.'))
          view.go(`${SERIEN_PATH}?teil=alle`, { replace: true })
          onClose()
        })
      }
      onCancel={onClose}
    />
  )
}
