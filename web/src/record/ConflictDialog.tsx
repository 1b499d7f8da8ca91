// Somebody else saved first: both versions side by side, and a choice for each field.
import { useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Badge } from '../ui/Display.tsx'
import { formatDateTime } from '../ui/format.ts'
import { Refusal } from '../ui/Refusal.tsx'
import { t } from '../ui/text.ts'
import { useAttempt } from '../ui/use-attempt.ts'
import { type Choice, type Difference, differencesOf, isDecided, proposeChoice, type Side } from './merge.ts'
import './record.css'
import type { RecordKind, RecordRow, RecordValues } from './record-kind.ts'
import type { Conflict } from './use-record-form.ts'

interface Props<F extends string, Row extends RecordRow<F>, V extends RecordValues<F> & FieldValues> {
  kind: Pick<RecordKind<F, Row, V>, 'fields' | 'label' | 'show' | 'changedBy'>
  conflict: Conflict<F, Row>
  saving?: boolean
  /** Stores the decision. The dialog stays open until it is fulfilled; a failure is shown in it. */
  onResolve: (choice: Choice<F>) => Promise<unknown>
  onClose: () => void
}

export function ConflictDialog<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
>({
  kind,
  conflict: { base, mine, theirs },
  saving: isSaving = false,
  onResolve,
  onClose,
}: Props<F, Row, V>) {
  const { run, fault, busy } = useAttempt()
  const saving = isSaving || busy
  const differences = differencesOf(kind.fields, base, mine, theirs)
  const [choice, setChoice] = useState<Choice<F>>(() => proposeChoice(differences))
  const all = (side: Side) =>
    setChoice(Object.fromEntries(differences.map(({ field }) => [field, side])) as Choice<F>)
  const decided = isDecided(differences, choice)
  return (
    <Dialog
      open
      width="wide"
      title={t('Inzwischen geändert')}
      dismissible={!saving}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={saving}>
            {t('Weiter bearbeiten')}
          </Button>
          <Button
            variant="primary"
            busy={saving}
            disabled={!decided}
            onClick={() => run(() => onResolve(choice))}
          >
            {t('Auswahl speichern')}
          </Button>
        </>
      }
    >
      <p>
        {kind.changedBy({
          who: theirs.geaendert_von ?? t('Jemand'),
          when: formatDateTime(theirs.geaendert_am),
        })}
      </p>
      <div className="record-conflict-all">
        <Button size="small" onClick={() => all('mine')}>
          {t('Überall meine Werte')}
        </Button>
        <Button size="small" onClick={() => all('theirs')}>
          {t('Überall die gespeicherten')}
        </Button>
      </div>
      <div className="record-conflict-scroll">
        <table className="record-conflict">
          <thead>
            <tr>
              <th scope="col">{t('Feld')}</th>
              <th scope="col">{t('Vorher')}</th>
              <th scope="col">{t('Meine Eingabe')}</th>
              <th scope="col">{t('Jetzt gespeichert')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => (
              <Line
                key={difference.field}
                difference={difference}
                label={kind.label(difference.field)}
                show={(value) => kind.show(difference.field, value)}
                chosen={choice[difference.field]}
                onChoose={(side) => setChoice({ ...choice, [difference.field]: side })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {!decided && (
        <output className="soft">
          {t('Bitte entscheiden Sie noch die Felder, die Sie beide geändert haben.')}
        </output>
      )}
      {fault !== null && <Refusal title={t('Ihre Auswahl ist noch nicht gespeichert')}>{fault}</Refusal>}
    </Dialog>
  )
}

interface LineProps<F extends string> {
  difference: Difference<F>
  label: string
  show: (value: unknown) => string
  chosen: Side | undefined
  onChoose: (side: Side) => void
}
function Line<F extends string>({ difference, label, show, chosen, onChoose }: LineProps<F>) {
  const { field, base, mine, theirs, disputed } = difference
  const side = (which: Side, value: unknown, name: string) => (
    <td className={chosen === which ? 'record-conflict-chosen' : undefined}>
      <label>
        <input
          type="radio"
          name={`conflict-${field}`}
          checked={chosen === which}
          onChange={() => onChoose(which)}
          aria-label={`${label}, ${name}: ${show(value) || t('leer')}`}
        />
        <Value text={show(value)} />
      </label>
    </td>
  )
  return (
    <tr>
      <th scope="row">
        {label}
        {disputed && <Badge tone="warning">{t('beide geändert')}</Badge>}
      </th>
      <td className="soft">
        <Value text={show(base)} />
      </td>
      {side('mine', mine, t('meine Eingabe'))}
      {side('theirs', theirs, t('jetzt gespeichert'))}
    </tr>
  )
}

const Value = ({ text }: { text: string }) =>
  text === '' ? <em className="soft">{t('leer')}</em> : <span>{text}</span>
