// How invoices and offers are numbered, with a preview of the next number.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { NumberRange } from '#contract/buchhaltung.ts'
import { fillMuster, type MusterFault, musterFault } from '#domain/number-range.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { RowDialog } from '../../../record/RowDialog.tsx'
import type { DialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card, Facts, fact, Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextField } from '../../../ui/Field.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { numberRangeRow, numberRanges, useSaveNumberRange } from './settings.data.ts'

interface NumberRangeFormValues {
  readonly muster: string
  readonly jaehrlich: boolean
  readonly naechste: string
}
const valuesOf = ({ muster, jaehrlich, naechste }: NumberRange): NumberRangeFormValues => ({
  muster,
  jaehrlich,
  naechste: String(naechste),
})
const title = (art: NumberRange['art']): string =>
  art === 'rechnung' ? t('Rechnungsnummern') : t('Angebotsnummern')
const year = (): number => Number(today().slice(0, 4))

function musterText(fault: MusterFault): string {
  switch (fault) {
    case 'leer':
      return t('Diese Angabe fehlt.')
    case 'lang':
      return t('Höchstens {n} Zeichen.', { n: 40 })
    case 'rand':
      return t('Bitte ohne Leerzeichen am Anfang und am Ende.')
    case 'zeichen':
      return t('Bitte ohne Zeilenumbruch und Steuerzeichen.')
    case 'zahl':
      return t('Das Muster braucht genau eine Stelle für die Zahl, zum Beispiel {muster}.', {
        muster: '{NNNN}',
      })
    case 'jahr':
      return t('Wenn die Zählung jedes Jahr neu beginnt, braucht das Muster das Jahr: {muster}.', {
        muster: '{JJJJ}',
      })
    case 'klammer':
      return t('In geschweiften Klammern stehen nur {muster}, das Jahr vor der Zahl.', {
        muster: '{JJJJ}, {JJ}, {NNNN}',
      })
  }
}
function check(values: NumberRangeFormValues) {
  const fault = musterFault(values.muster, values.jaehrlich)
  const isNumber = /^\d{1,9}$/.test(values.naechste) && Number(values.naechste) > 0
  return unlessFaulty(values, {
    muster: fault === null ? undefined : musterText(fault),
    naechste: isNumber ? undefined : t('Eine ganze Zahl von {von} bis {bis}.', { von: 1, bis: 999999999 }),
  })
}

export function NumberRanges() {
  const query = useQuery(numberRanges)
  const [editing, setEditing] = useState<NumberRange | null>(null)
  if (query.isError && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton lines={6} />
  return (
    <div className="stack">
      <Notice>
        {t(
          'Eine Nummer wird erst beim Ausstellen vergeben, lückenlos und der Reihe nach. Vergebene Nummern ' +
            'ändern sich nie.',
        )}
      </Notice>
      {query.data.map((range) => (
        <Card
          key={range.art}
          title={title(range.art)}
          actions={
            <Button size="small" icon="edit" onClick={() => setEditing(range)}>
              {t('{name} bearbeiten', { name: title(range.art) })}
            </Button>
          }
        >
          <Facts
            facts={[
              fact(t('Nächste Nummer'), <strong>{range.naechste_nummer}</strong>),
              fact(t('Muster'), range.muster),
              fact(t('Beginnt jedes Jahr neu'), range.jaehrlich ? t('ja') : t('nein')),
            ]}
          />
        </Card>
      ))}
      {editing && <NumberRangeDialog key={editing.art} kreis={editing} onClose={() => setEditing(null)} />}
    </div>
  )
}

function NumberRangeDialog({ kreis, onClose }: { kreis: NumberRange; onClose: () => void }) {
  const save = useSaveNumberRange()
  const row = numberRangeRow(kreis)
  return (
    <RowDialog
      title={title(kreis.art)}
      row={row}
      initial={valuesOf(kreis)}
      valuesOf={valuesOf}
      check={check}
      save={({ muster, jaehrlich, naechste }, base) =>
        save.mutateAsync({
          base: base ?? row,
          muster,
          jaehrlich,
          naechste: (base ?? row).begonnen ? null : Number(naechste),
        })
      }
      factsOf={(theirs) => [
        fact(t('Muster'), theirs.muster),
        fact(t('Nächste Nummer'), theirs.naechste_nummer),
      ]}
      onClose={onClose}
      onSaved={() => {
        toast.success(t('Gespeichert.'))
        onClose()
      }}
    >
      {(form) => <NumberRangeFields form={form} begonnen={kreis.begonnen} />}
    </RowDialog>
  )
}

function NumberRangeFields({
  form: { text, flag, values },
  begonnen,
}: {
  form: DialogForm<NumberRangeFormValues>
  /** A number was issued already. */
  begonnen: boolean
}) {
  return (
    <>
      <TextField
        label={t('Muster')}
        required
        maxLength={60}
        autoComplete="off"
        data-autofocus
        hint={t('{jahr} ist das Jahr, {zahl} die Zahl mit mindestens so vielen Stellen.', {
          jahr: '{JJJJ}',
          zahl: '{NNNN}',
        })}
        {...text('muster')}
      />
      <Checkbox label={t('Beginnt jedes Jahr neu')} {...flag('jaehrlich')} />
      <TextField
        label={t('Nächste Zahl')}
        inputMode="numeric"
        maxLength={9}
        disabled={begonnen}
        hint={
          begonnen
            ? t(
                'Es sind schon Nummern vergeben. Eine andere Zahl ergäbe eine Lücke oder eine doppelte Nummer.',
              )
            : t('Kann nur gewählt werden, solange noch keine Nummer vergeben ist.')
        }
        {...text('naechste')}
      />
      <p aria-live="polite">
        {t('Die nächste Nummer wäre')}{' '}
        <strong>
          {'values' in check(values) ? fillMuster(values.muster, year(), Number(values.naechste)) : '–'}
        </strong>
      </p>
    </>
  )
}
