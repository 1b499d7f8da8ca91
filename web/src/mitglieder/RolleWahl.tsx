// Choosing the role of a link, each with what it allows.
import { useId } from 'react'
import { t } from '../ui/text.ts'
import { linkRolle, linkRolleErklaert, type Rolle } from './mitglied-words.ts'
import './mitglieder.css'

export function RolleWahl({ rollen, value, onChange }: { rollen: readonly Rolle[]; value: Rolle; onChange: (rolle: Rolle) => void }) {
  const name = useId()
  return (
    <fieldset className="mitglied-rollen">
      <legend>{t('Rolle')}</legend>
      {rollen.map((rolle) => (
        <label key={rolle} className="mitglied-rolle">
          <input type="radio" name={name} value={rolle} checked={rolle === value} onChange={() => onChange(rolle)} />
          <span>
            {linkRolle(rolle)}
            <small>{linkRolleErklaert(rolle)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
