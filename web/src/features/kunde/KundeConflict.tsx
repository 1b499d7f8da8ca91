// Somebody else saved first: both versions side by side, and a choice for each field.
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Badge } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { fieldLabel, showValue } from './kunde-fields.ts'
import { type Choice, type Difference, differencesOf, isDecided, proposeChoice, type Side } from './kunde-merge.ts'
import type { Conflict } from './use-kunde-form.ts'

interface Props {
  conflict: Conflict
  saving: boolean
  onResolve: (choice: Choice) => void
  onClose: () => void
}

export function KundeConflict({ conflict: { base, mine, theirs }, saving, onResolve, onClose }: Props) {
  const differences = differencesOf(base, mine, theirs)
  const [choice, setChoice] = useState<Choice>(() => proposeChoice(differences))
  const all = (side: Side) => setChoice(Object.fromEntries(differences.map(({ field }) => [field, side])))
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
          <Button variant="primary" busy={saving} disabled={!decided} onClick={() => onResolve(choice)}>
            {t('Auswahl speichern')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          '{who} hat diesen Kunden am {when} geändert, während Sie ihn bearbeitet haben. Noch ist nichts überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
          {
            who: theirs.geaendert_von ?? t('Jemand'),
            when: formatDateTime(theirs.geaendert_am),
          },
        )}
      </p>
      <div className="kunde-conflict-all">
        <Button size="small" onClick={() => all('mine')}>
          {t('Überall meine Werte')}
        </Button>
        <Button size="small" onClick={() => all('theirs')}>
          {t('Überall die gespeicherten')}
        </Button>
      </div>
      <div className="kunde-conflict-scroll">
        <table className="kunde-conflict">
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
                chosen={choice[difference.field]}
                onChoose={(side) => setChoice({ ...choice, [difference.field]: side })}
              />
            ))}
          </tbody>
        </table>
      </div>
      {!decided && <output className="soft">{t('Bitte entscheiden Sie noch die Felder, die Sie beide geändert haben.')}</output>}
    </Dialog>
  )
}

function Line({ difference, chosen, onChoose }: { difference: Difference; chosen: Side | undefined; onChoose: (side: Side) => void }) {
  const { field, base, mine, theirs, disputed } = difference
  const label = fieldLabel(field)
  const side = (which: Side, value: Difference['mine'], name: string) => (
    <td className={chosen === which ? 'kunde-conflict-chosen' : undefined}>
      <label>
        <input
          type="radio"
          name={`conflict-${field}`}
          checked={chosen === which}
          onChange={() => onChoose(which)}
          aria-label={`${label}, ${name}: ${showValue(field, value) || t('leer')}`}
        />
        <Value field={field} value={value} />
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
        <Value field={field} value={base} />
      </td>
      {side('mine', mine, t('meine Eingabe'))}
      {side('theirs', theirs, t('jetzt gespeichert'))}
    </tr>
  )
}

const Value = ({ field, value }: { field: string; value: unknown }) => {
  const text = showValue(field, value)
  return text === '' ? <em className="soft">{t('leer')}</em> : <span>{text}</span>
}
