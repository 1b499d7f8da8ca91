// Chooses a tree's structures by form and group, each with its threshold and count. The chosen ones are
// listed above.
import { useState } from 'react'
import {
  STANDARD_SYSTEM,
  STRUCTURE_GROUPS,
  STRUCTURES,
  type Structure,
  type StructureGroup,
  type StructureSystem,
} from '#domain/habitat/structures.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Checkbox, TextField } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { isEnglish } from './habitat-words.ts'
import './structures.css'
import { withQuantity, withStructure, structuresOf, structureName } from './structures-text.ts'

const MOST = 999
const formName = (group: StructureGroup): string => (isEnglish() ? group.form_en : group.form)
const groupName = (group: StructureGroup): string => (isEnglish() ? group.en : group.de)

interface Props {
  value: string
  onChange: (value: string) => void
}

export function StructurePicker({ error, ...props }: Props & { error: string | undefined }) {
  const chosen = structuresOf(props.value)
  const [system, setSystem] = useState<StructureSystem>(() => chosen[0]?.system ?? STANDARD_SYSTEM)
  const groups = STRUCTURE_GROUPS.filter((group) => group.system === system)
  const forms = [...new Set(groups.map(formName))]
  return (
    <div className="habitat-strukturen">
      <ChosenStructures {...props} />
      {error !== undefined && (
        <p className="field-error" role="alert">
          <Icon name="warning" size={15} />
          {error}
        </p>
      )}
      <Segments<StructureSystem>
        label={t('Katalog')}
        value={system}
        options={[
          { value: 'larrieu_2018', label: t('Larrieu 2018') },
          { value: 'kraus_2016', label: t('Kraus 2016') },
        ]}
        onChange={setSystem}
      />
      <div>
        {forms.map((form) => (
          <StructureForm
            key={form}
            form={form}
            groups={groups.filter((group) => formName(group) === form)}
            {...props}
          />
        ))}
      </div>
    </div>
  )
}

function ChosenStructures({ value, onChange }: Props) {
  const chosen = structuresOf(value)
  if (chosen.length === 0) return <p className="soft">{t('Noch keine Struktur gewählt.')}</p>
  return (
    <ul className="habitat-gewaehlt" aria-label={t('Gewählte Strukturen')}>
      {chosen.map(({ code, menge }) => (
        <li key={code}>
          <span>
            {structureName(code)} <span className="soft">{code}</span>
          </span>
          <TextField
            label={t('Anzahl von {name}', { name: structureName(code) })}
            labelHidden
            type="number"
            min={1}
            max={MOST}
            inputMode="numeric"
            placeholder={t('Anzahl')}
            value={menge ?? ''}
            onChange={({ target }) => {
              const typed = Math.trunc(Number(target.value))
              onChange(withQuantity(value, code, typed >= 1 ? Math.min(typed, MOST) : null))
            }}
          />
          <IconButton
            icon="close"
            size="small"
            label={t('{name} entfernen', { name: structureName(code) })}
            onClick={() => onChange(withStructure(value, code, false))}
          />
        </li>
      ))}
    </ul>
  )
}

const isIn = (structure: Structure, group: StructureGroup): boolean =>
  structure.system === group.system && structure.gruppe === group.code

/** The groups of one form, to unfold. */
function StructureForm({
  form,
  groups,
  value,
  onChange,
}: Props & { form: string; groups: readonly StructureGroup[] }) {
  const chosen = new Set(structuresOf(value).map(({ code }) => code))
  const own = STRUCTURES.filter((structure) => groups.some((group) => isIn(structure, group)))
  const number = own.filter(({ code }) => chosen.has(code)).length
  return (
    <details className="habitat-form">
      <summary>
        {form}
        {number > 0 && (
          <span className="habitat-zahl nums">{t('{n} gewählt', { n: formatNumber(number) })}</span>
        )}
      </summary>
      {groups.map((group) => (
        <fieldset key={group.code} className="habitat-gruppe">
          <legend>{groupName(group)}</legend>
          {own
            .filter((structure) => isIn(structure, group))
            .map((structure) => (
              <Checkbox
                key={structure.code}
                label={labelOf(structure)}
                checked={chosen.has(structure.code)}
                onChange={({ target }) => onChange(withStructure(value, structure.code, target.checked))}
              />
            ))}
        </fieldset>
      ))}
    </details>
  )
}

function labelOf({ code, threshold }: Structure): string {
  const name = `${code} ${structureName(code)}`
  return threshold === '' || isEnglish() ? name : `${name} (${threshold})`
}
