// Adds a headquarters from the list; the customer is chosen by typing their name.
import { useState } from 'react'
import { RecordField } from '../../list/RecordField.tsx'
import { CreateHq } from '../../record/hq/CreateHq.tsx'
import { t } from '../../ui/text.ts'
import { findKunden, kundeName } from './forstbetrieb.data.ts'

const KUNDE = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunden,
  name: kundeName,
} as const

export function NewForstbetrieb({ onClose }: { onClose: () => void }) {
  const [kunde, setKunde] = useState('')
  const [missing, setMissing] = useState(false)
  return (
    <CreateHq
      client_id={kunde === '' ? null : Number(kunde)}
      hrefOf={({ idHQ }) => `/forstbetriebe/${idHQ}`}
      onClose={onClose}
      onMissingKunde={() => setMissing(true)}
      choice={
        <div className="hq-kunde">
          <RecordField
            filter={KUNDE}
            label={t('Kunde')}
            value={kunde}
            apply={(value) => {
              setKunde(value)
              setMissing(false)
            }}
          />
          {missing && (
            <p className="field-error" role="alert">
              {t('Bitte wählen Sie den Kunden: Name eingeben und einen Treffer auswählen.')}
            </p>
          )}
        </div>
      }
    />
  )
}
