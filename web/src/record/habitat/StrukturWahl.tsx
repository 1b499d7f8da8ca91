// Choosing the structures of a tree: by form and group, each with its threshold, and how many there are. What is chosen stands above as a list.
import { useState } from 'react'
import {
  STANDARD_SYSTEM,
  STRUKTUR_GRUPPEN,
  STRUKTUREN,
  type StrukturGruppe,
  type StrukturSystem,
  strukturOf,
} from '#domain/habitat/strukturen.ts'
import { IconButton } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Checkbox, TextField } from '../../ui/Field.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { englisch } from './habitat-words.ts'
import './strukturen.css'
import { mitMenge, mitStruktur, strukturenOf, strukturName } from './strukturen-text.ts'

const MOST = 999
const formName = (gruppe: StrukturGruppe): string => (englisch() ? gruppe.form_en : gruppe.form)
const groupName = (gruppe: StrukturGruppe): string => (englisch() ? gruppe.en : gruppe.de)

interface Props {
  value: string
  onChange: (value: string) => void
  error: string | undefined
}

export function StrukturWahl({ value, onChange, error }: Props) {
  const chosen = strukturenOf(value)
  const [system, setSystem] = useState<StrukturSystem>(() => chosen[0]?.system ?? STANDARD_SYSTEM)
  const groups = STRUKTUR_GRUPPEN.filter((gruppe) => gruppe.system === system)
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
                {strukturName(code)} <span className="soft">{code}</span>
              </span>
              <TextField
                label={t('Anzahl von {name}', { name: strukturName(code) })}
                labelHidden
                type="number"
                min={1}
                max={MOST}
                inputMode="numeric"
                placeholder={t('Anzahl')}
                value={menge ?? ''}
                onChange={({ target }) => {
                  const typed = Math.trunc(Number(target.value))
                  onChange(mitMenge(value, code, typed >= 1 ? Math.min(typed, MOST) : null))
                }}
              />
              <IconButton
                icon="close"
                size="small"
                label={t('{name} entfernen', { name: strukturName(code) })}
                onClick={() => onChange(mitStruktur(value, code, false))}
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
      <Segments<StrukturSystem>
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
            own.some((gruppe) => strukturOf(code)?.gruppe === gruppe.code && strukturOf(code)?.system === system),
          )
          return (
            <details key={form} className="habitat-form">
              <summary>
                {form}
                {inForm.length > 0 && <span className="habitat-zahl nums">{t('{n} gewählt', { n: formatNumber(inForm.length) })}</span>}
              </summary>
              {own.map((gruppe) => (
                <fieldset key={gruppe.code} className="habitat-gruppe">
                  <legend>{groupName(gruppe)}</legend>
                  {STRUKTUREN.filter((struktur) => struktur.system === system && struktur.gruppe === gruppe.code).map((struktur) => (
                    <Checkbox
                      key={struktur.code}
                      label={
                        struktur.schwelle === '' || englisch()
                          ? `${struktur.code} ${strukturName(struktur.code)}`
                          : `${struktur.code} ${strukturName(struktur.code)} (${struktur.schwelle})`
                      }
                      checked={chosen.some(({ code }) => code === struktur.code)}
                      onChange={({ target }) => onChange(mitStruktur(value, struktur.code, target.checked))}
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
