// Radio buttons for a role at a customer, each with what it allows.
import { useId } from 'react'
import { t } from '../ui/text.ts'
import { linkRoleName, linkRoleExplained, type Role } from './member-words.ts'
import './members.css'

export function RolePicker({
  rollen,
  value,
  onChange,
}: {
  rollen: readonly Role[]
  value: Role
  onChange: (rolle: Role) => void
}) {
  const name = useId()
  return (
    <fieldset className="mitglied-rollen">
      <legend>{t('Rolle')}</legend>
      {rollen.map((rolle) => (
        <label key={rolle} className="mitglied-rolle">
          <input
            type="radio"
            name={name}
            value={rolle}
            checked={rolle === value}
            onChange={() => onChange(rolle)}
          />
          <span>
            {linkRoleName(rolle)}
            <small>{linkRoleExplained(rolle)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
