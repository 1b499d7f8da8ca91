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
  onChange: (role: Role) => void
}) {
  const name = useId()
  return (
    <fieldset className="mitglied-rollen">
      <legend>{t('Rolle')}</legend>
      {rollen.map((role) => (
        <label key={role} className="mitglied-rolle">
          <input
            type="radio"
            name={name}
            value={role}
            checked={role === value}
            onChange={() => onChange(role)}
          />
          <span>
            {linkRoleName(role)}
            <small>{linkRoleExplained(role)}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
