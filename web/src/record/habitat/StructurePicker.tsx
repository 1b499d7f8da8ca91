// Chooses a tree's structures by form and group, each with its threshold and count. The chosen ones are
// listed above.
import { useState } from 'react'
import {
  STANDARD_SYSTEM,
  STRUCTURE_GROUPS,
  STRUCTURES,
  type StructureGroup,
  type StructureSystem,
  structureOf,
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
const formName = (gruppe: StructureGroup): string => (isEnglish() ? gruppe.form_en : gruppe.form)
const groupName = (gruppe: StructureGroup): string => (isEnglish() ? gruppe.en : gruppe.de)

interface Props {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function StructurePicker({ value, onChange, error }: Props) {
  const chosen = structuresOf(value)
  const [system, setSystem] = useState<StructureSystem>(() => chosen[0]?.system ?? STANDARD_SYSTEM)
  const groups = STRUCTURE_GROUPS.filter((gruppe) => gruppe.system === system)
  const forms = [...new Set(groups.map(formName))]
  return (
    <div className="habitat-strukturen">
      {chosen.length === 0 ? (
        <p className="soft">{t('Noch keine Struktur gewählt.')}</p>
      ) : (
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
      )}
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
        {forms.map((form) => {
          const own = groups.filter((gruppe) => formName(gruppe) === form)
          const inForm = chosen.filter(({ code }) =>
            own.some(
              (gruppe) => structureOf(code)?.gruppe === gruppe.code && structureOf(code)?.system === system,
            ),
          )
          return (
            <details key={form} className="habitat-form">
              <summary>
                {form}
                {inForm.length > 0 && (
                  <span className="habitat-zahl nums">
                    {t('{n} gewählt', { n: formatNumber(inForm.length) })}
                  </span>
                )}
              </summary>
              {own.map((gruppe) => (
                <fieldset key={gruppe.code} className="habitat-gruppe">
                  <legend>{groupName(gruppe)}</legend>
                  {STRUCTURES.filter(
                    (structure) => structure.system === system && structure.gruppe === gruppe.code,
                  ).map((structure) => (
                    <Checkbox
                      key={structure.code}
                      label={
                        structure.threshold === '' || isEnglish()
                          ? `${structure.code} ${structureName(structure.code)}`
                          : `${structure.code} ${structureName(structure.code)} (${structure.threshold})`
                      }
                      checked={chosen.some(({ code }) => code === structure.code)}
                      onChange={({ target }) =>
                        onChange(withStructure(value, structure.code, target.checked))
                      }
                    />
                  ))}
                </fieldset>
              ))}
            </details>
          )
        })}
      </div>
    </div>
  )
}
