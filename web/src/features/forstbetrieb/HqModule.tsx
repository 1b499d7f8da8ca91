// The feature switches of a headquarters: what each does, since when it has its state, and the rules between
// them.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { useWatch } from 'react-hook-form'
import type { Hq, KundeHq } from '#contract/hq.ts'
import { neededHabitatTrees } from '#domain/area.ts'
import { parseNumber } from '#domain/import-values.ts'
import { hqField, type SwitchField } from '#domain/hq-fields.ts'
import { textOf } from '../../record/declared.ts'
import { hqLabel } from '../../record/hq/hq-fields.ts'
import { areaText } from '../../record/hq/hq-values.ts'
import { type FeKind, feKindOf, type SwitchValues, switchesOf } from '../../record/hq/switches-form.ts'
import { RecordForm } from '../../record/RecordForm.tsx'
import type { RecordEditor } from '../../record/use-record-form.ts'
import { Badge, Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGrid, TextField } from '../../ui/Field.tsx'
import { formatDate, formatDateTime, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { runningAbos, switchHistory } from './forstbetrieb.data.ts'
import { KeptByUs } from './HqMasterData.tsx'
import { sinceOf } from './switch-history.ts'

interface Props {
  hq: Hq
  switches: KundeHq
  editor: RecordEditor<SwitchField, KundeHq, SwitchValues>
  isAdmin: boolean
}
export const HqModule = ({ hq, switches, editor, isAdmin }: Props) =>
  isAdmin ? <Edit hq={hq} switches={switches} editor={editor} /> : <Read hq={hq} switches={switches} />

const feNames = (): readonly (readonly [FeKind, string, string])[] => [
  ['keine', t('Keine'), t('Waldbestand und Planung sind nicht Teil der Leistung.')],
  [
    'basis_fe',
    t('Basis-FE'),
    t('Die verkürzte Forsteinrichtung: eine leichtere Fassung ohne den vollen Umfang.'),
  ],
  [
    'fe',
    t('Forsteinrichtung (FE)'),
    t('Die vollständige Forsteinrichtung. Sie enthält alles, was zur Basis-FE gehört.'),
  ],
]
const kawmEffect = () =>
  t(
    'Klimaangepasstes Waldmanagement (Förderung des Bundes): Habitatbäume werden gegen die geforderte Zahl gezählt.',
  )

type EditProps = Omit<Props, 'isAdmin'>
const Edit = ({ hq, switches, editor }: EditProps) => (
  <Card>
    <RecordForm editor={editor} label={t('Module')}>
      <Abos id={hq.idHQ} isAdmin />
      <FeSwitches hq={hq} switches={switches} editor={editor} />
      <KawmSwitches hq={hq} switches={switches} editor={editor} />
    </RecordForm>
  </Card>
)

/** The two switches of the forest plan, of which at most one is on. */
function FeSwitches({ hq, switches, editor: { form } }: EditProps) {
  const [fe_enabled, basis_fe_enabled] = useWatch({
    control: form.control,
    name: ['fe_enabled', 'basis_fe_enabled'],
  })
  const group = useId()
  const art = feKindOf({ fe_enabled, basis_fe_enabled })
  const choose = (next: FeKind) => {
    for (const [field, on] of Object.entries(switchesOf(next)))
      form.setValue(field as 'fe_enabled' | 'basis_fe_enabled', on, { shouldDirty: true })
  }
  return (
    <fieldset className="hq-switches">
      <legend>{t('Forsteinrichtung')}</legend>
      <p className="soft">
        {t('FE und Basis-FE schließen einander aus: Ein Forstbetrieb hat eine von beiden oder keine.')}
      </p>
      {feNames().map(([value, name, effect]) => (
        <label key={value} className="hq-choice">
          <input
            type="radio"
            name={group}
            value={value}
            checked={art === value}
            aria-label={name}
            aria-describedby={`${group}-${value}`}
            onChange={() => choose(value)}
          />
          {name}
          <span id={`${group}-${value}`} className="soft">
            {effect}
          </span>
        </label>
      ))}
      {switches.fe_enabled && switches.basis_fe_enabled && (
        <Notice tone="warning">
          {t(
            'Gespeichert sind beide. Mit dem nächsten Speichern Ihrer Auswahl bleibt nur die gewählte freigeschaltet.',
          )}
        </Notice>
      )}
      <Since id={hq.idHQ} fields={['fe_enabled', 'basis_fe_enabled']} />
    </fieldset>
  )
}

type ChangeEvent = { readonly target: { readonly checked: boolean } }

function KawmSwitches({ hq, switches, editor: { form } }: EditProps) {
  const { register, formState, setValue, control } = form
  const [kawm, custom, area] = useWatch({
    control,
    name: ['kawm_enabled', 'kawm_custom_area_enabled', 'kawm_area'],
  })
  /** Without its own area, KAWM applies to the whole headquarters. */
  const takeWhole = () =>
    setValue('kawm_area', areaText(hq.dcFLAEHB), { shouldDirty: true, shouldValidate: formState.isSubmitted })
  const named = (column: SwitchField) => ({
    label: textOf(hqField(column), 'asks') ?? hqLabel(column),
    hint: textOf(hqField(column), 'hint'),
  })
  const bind = (column: SwitchField) => ({
    ...named(column),
    error: formState.errors[column]?.message,
    ...register(column),
  })
  return (
    <fieldset className="hq-switches">
      <legend>{t('KAWM')}</legend>
      <Checkbox
        {...named('kawm_enabled')}
        hint={kawmEffect()}
        {...register('kawm_enabled', {
          onChange: ({ target }: ChangeEvent) => {
            if (target.checked && !custom && area === '') takeWhole()
          },
        })}
      />
      <Since id={hq.idHQ} fields={['kawm_enabled']} />
      <Checkbox
        {...named('kawm_custom_area_enabled')}
        {...register('kawm_custom_area_enabled', {
          onChange: ({ target }: ChangeEvent) => {
            if (!target.checked) takeWhole()
          },
        })}
      />
      <FieldGrid>
        <TextField
          {...bind('kawm_area')}
          unit="ha"
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          required={kawm}
          readOnly={!custom}
          hint={<AreaHint hq={hq} text={area} custom={custom} />}
        />
        <DateField {...bind('kawm_approval_date')} required={kawm} />
      </FieldGrid>
      <Unfinished switches={switches} />
      <Since
        id={hq.idHQ}
        fields={['kawm_area', 'kawm_approval_date', 'kawm_custom_area_enabled']}
        what={t('Fläche oder Bescheid')}
      />
    </fieldset>
  )
}

/** The subscriptions behind the switches: they end by cancellation, not by a switch. */
function Abos({ id, isAdmin = false }: { id: number; isAdmin?: boolean }) {
  const { data: abos = [] } = useQuery(runningAbos(String(id), today()))
  if (abos.length === 0) return null
  return (
    <Notice title={abos.length === 1 ? t('Ein Abo läuft') : t('Laufende Abos')}>
      <ul className="hq-abos">
        {abos.map(({ id: key, modul, ende, zustand }) => (
          <li key={key}>
            {zustand === 'gekuendigt'
              ? t('{modul} bis {ende}, gekündigt', { modul: moduleName(modul), ende: formatDate(ende) })
              : t('{modul} bis {ende}, verlängert sich', {
                  modul: moduleName(modul),
                  ende: formatDate(ende),
                })}
          </li>
        ))}
      </ul>
      {isAdmin && t('Ein Abo endet durch Kündigung, nicht durch das Aufheben der Freischaltung.')}
    </Notice>
  )
}
const moduleName = (feature: 'fe' | 'basis_fe' | 'kawm'): string => hqLabel(`${feature}_enabled`)

/** A subscription switches KAWM on before the approval is known. */
const Unfinished = ({
  switches: { kawm_enabled, kawm_area, kawm_approval_date },
}: Pick<Props, 'switches'>) =>
  kawm_enabled && (kawm_area === null || kawm_approval_date === null) ? (
    <Notice tone="warning" title={t('Angaben zu KAWM fehlen noch')}>
      {t(
        'KAWM ist freigeschaltet, aber die bewilligte Fläche oder das Datum des Bescheids ist noch nicht eingetragen.',
      )}
    </Notice>
  ) : null

function AreaHint({ hq, text, custom }: { hq: Hq; text: string; custom: boolean }) {
  const hectares = Number(parseNumber(text) ?? 0)
  const parts: string[] = []
  if (!custom) parts.push(t('Gilt für den ganzen Forstbetrieb.'))
  if (hq.dcFLAEHB === null && !custom)
    parts.push(
      t(
        'Er hat noch keine Fläche laut FE: Tragen Sie sie in den Stammdaten ein oder wählen Sie eine ' +
          'abweichende Fläche.',
      ),
    )
  if (hq.dcFLAEHB !== null && hectares > hq.dcFLAEHB)
    parts.push(
      t('Das ist mehr als die Fläche des Forstbetriebs ({ha} ha).', { ha: formatNumber(hq.dcFLAEHB) }),
    )
  else if (!custom && hq.dcFLAEHB !== null && hectares > 0 && hectares !== hq.dcFLAEHB)
    parts.push(t('Der Forstbetrieb hat inzwischen {ha} ha.', { ha: formatNumber(hq.dcFLAEHB) }))
  if (hectares > 0)
    parts.push(
      t('Gefordert sind mindestens {n} Habitatbäume (5 je Hektar).', {
        n: formatNumber(neededHabitatTrees(hectares)),
      }),
    )
  return <>{parts.join(' ')}</>
}

/** Since when and by whom, from the history; renders nothing if the history does not say. */
function Since({ id, fields, what }: { id: number; fields: readonly SwitchField[]; what?: string }) {
  const { data = [] } = useQuery(switchHistory(String(id)))
  const newest = fields
    .map((field) => sinceOf(data, field))
    .filter((since) => since !== null)
    .sort((a, b) => (a.zeit < b.zeit ? 1 : -1))[0]
  if (newest === undefined) return null
  const values = { when: formatDateTime(newest.zeit), who: newest.wer ?? t('System') }
  return (
    <p className="soft hq-since">
      {what === undefined
        ? t('So eingestellt seit {when} von {who}', values)
        : `${what}: ${t('zuletzt geändert am {when} von {who}', values)}`}
    </p>
  )
}

function Read({ hq, switches }: Pick<Props, 'hq' | 'switches'>) {
  const { kawm_enabled, kawm_area, kawm_approval_date } = switches
  const [, name, effect] = feNames().find(([value]) => value === feKindOf(switches)) ?? feNames()[0]!
  return (
    <div className="columns">
      <Card title={t('Forsteinrichtung')}>
        <div className="stack">
          <State on={feKindOf(switches) !== 'keine'} name={name} effect={effect} />
          <Since id={hq.idHQ} fields={['fe_enabled', 'basis_fe_enabled']} />
        </div>
      </Card>
      <Card title={t('KAWM')}>
        <div className="stack">
          <State
            on={kawm_enabled}
            name={kawm_enabled ? t('freigeschaltet') : t('nicht freigeschaltet')}
            effect={kawmEffect()}
          />
          {kawm_enabled && (
            <Facts
              facts={[
                fact(hqLabel('kawm_area'), <NumberText key="ha" value={kawm_area} digits={2} unit="ha" />),
                fact(hqLabel('kawm_approval_date'), <DateText key="date" value={kawm_approval_date} />),
                fact(
                  t('Geforderte Habitatbäume'),
                  kawm_area === null
                    ? null
                    : t('mindestens {n}', { n: formatNumber(neededHabitatTrees(kawm_area)) }),
                ),
              ]}
            />
          )}
          <Unfinished switches={switches} />
          <Since id={hq.idHQ} fields={['kawm_enabled']} />
        </div>
      </Card>
      <div className="hq-wide stack">
        <Abos id={hq.idHQ} />
        <KeptByUs>{t('Module gehören zum Vertrag und werden von uns freigeschaltet.')}</KeptByUs>
      </div>
    </div>
  )
}
const State = ({ on, name, effect }: { on: boolean; name: string; effect: string }): ReactNode => (
  <div>
    <Badge tone={on ? 'success' : 'neutral'}>{name}</Badge>
    <p className="soft">{effect}</p>
  </div>
)
