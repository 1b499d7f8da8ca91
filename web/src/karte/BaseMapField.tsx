// Choice of the base map; nothing where there is none to choose.
import { SelectField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import type { BaseMapChoice } from './base-maps.data.ts'

export function BaseMapField({ choice: { karten, gewaehlt, pick } }: { choice: BaseMapChoice }) {
  if (karten.length === 0) return null
  return (
    <SelectField
      label={t('Hintergrundkarte')}
      value={gewaehlt?.id ?? ''}
      emptyOption={t('keine')}
      options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
      onChange={({ target }) => pick(target.value)}
    />
  )
}
