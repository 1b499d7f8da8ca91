// A new key: what it may do, until when, and once more who asks; then the key, this one time.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AskedByDevice } from '#contract/zugang.ts'
import { administeredHalves, halvesOf } from '#domain/zugang.ts'
import { useSession } from '../../data/session.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { KUNDE_FILTER } from '../../record/kunde/kunde-filter.ts'
import { type DialogForm, useDialogForm } from '../../record/use-dialog-form.ts'
import { Segments } from '../../ui/Choice.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGrid, FieldGroup, SelectField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { dayAhead } from '../../ui/today.ts'
import { type Asked, checkKey, groupsFor, type KeyInput } from './key-form.ts'
import { groupName, halfName } from './key-words.ts'
import './program-keys.css'
import { proofQuery, useMakeKey } from './program-keys.data.ts'
import { ShownKey, type ShownMade } from './ShownKey.tsx'

const ANYTHING: Pick<AskedByDevice, 'schreiben' | 'gruppen'> = { schreiben: true, gruppen: null }

interface Props {
  art: 'person' | 'haus'
  dataApi: string
  onClose: () => void
}

export const KEY_DAYS = 90

export function MakeKey({ art, dataApi, onClose }: Props) {
  const proof = useQuery(proofQuery)
  const [made, setMade] = useState<ShownMade | null>(null)
  if (made !== null) return <ShownKey {...made} dataApi={dataApi} onClose={onClose} />
  // Without an answer the password is asked for; the server decides anyway.
  const asked: Asked = { art, proof: proof.data === undefined ? { zweiter_faktor: false } : proof.data }
  return <KeyForm asked={asked} onClose={onClose} onMade={setMade} />
}

function KeyForm({
  asked,
  onClose,
  onMade,
}: {
  asked: Asked
  onClose: () => void
  onMade: (made: ShownMade) => void
}) {
  const { roles } = useSession()
  const make = useMakeKey()
  const halves = asked.art === 'haus' ? administeredHalves(roles) : halvesOf(roles)
  const initial: KeyInput = {
    name: '',
    bis: formatDate(dayAhead(KEY_DAYS)),
    may: 'read',
    haelfte: asked.art === 'haus' ? (halves[0] ?? '') : '',
    gruppen: [],
    kunde: '',
    client: '',
    passwort: '',
    code: '',
  }
  const form = useDialogForm({
    initial,
    check: (values: KeyInput) => checkKey(values, asked),
    send: (wanted) => make.mutateAsync(wanted),
    // The first field is left by pressing the button, which would move away under the pointer.
    faultsFrom: 'sending',
    onSent: ({ id, zugang }) =>
      onMade({
        name: form.values.name.trim(),
        zugang,
        clientId: asked.art === 'haus' && asked.proof !== null ? `schluessel-${id}` : null,
      }),
  })
  return (
    <FormDialog
      title={asked.art === 'haus' ? t('Gemeinsamen Schlüssel anlegen') : t('Schlüssel anlegen')}
      submitLabel={t('Anlegen und anzeigen')}
      unsaved={t('Der neue Schlüssel ist noch nicht angelegt.')}
      {...form.frame}
      onClose={onClose}
    >
      <NameAndEnd form={form} />
      <Limits form={form} halves={halves} art={asked.art} />
      {asked.proof === null && (
        <TextField
          label={t('Kennung beim Anmeldedienst (freiwillig)')}
          hint={t(
            'Nur nötig, wenn sich das Programm seine Tokens selbst beim Anmeldedienst holt: Geben Sie an, ' +
              'unter welcher Kennung es dort eingetragen ist. Seine Tokens gelten dann mit diesem Schlüssel; ' +
              'ein Geheimnis brauchen Sie nicht.',
          )}
          maxLength={200}
          autoComplete="off"
          {...form.text('client')}
        />
      )}
      <ProofFields form={form} asked={asked} />
    </FormDialog>
  )
}

export function Limits({
  form: { values, set, text, errorOf },
  halves,
  art,
  within = ANYTHING,
}: {
  form: DialogForm<KeyInput>
  halves: ReturnType<typeof halvesOf>
  art: Asked['art']
  /** What a program asks for: nothing else can be chosen. */
  within?: Pick<AskedByDevice, 'schreiben' | 'gruppen'>
}) {
  const groups = groupsFor(values.haelfte).filter((group) => within.gruppen?.includes(group) ?? true)
  return (
    <>
      {within.schreiben && (
        <Segments
          label={t('Das Programm darf')}
          value={values.may}
          options={[
            { value: 'read', label: t('nur lesen') },
            { value: 'write', label: t('lesen und schreiben') },
          ]}
          onChange={(may) => set({ may })}
          hint={
            values.may === 'read'
              ? t('Es kann nichts ändern. Für Karten, Tabellen und Auswertungen reicht das.')
              : t('Es kann ändern und löschen, was Sie ändern und löschen dürfen; Personen und Rechte nie.')
          }
        />
      )}
      <FieldGroup
        title={t('Einschränkungen')}
        hint={t(
          'Erlauben Sie nur, was das Programm braucht: Gerät der Schlüssel in fremde Hände, ist umso ' +
            'weniger betroffen. Mit ausgewählten Bereichen oder einem Kunden erreicht das Programm nur ' +
            'Tabellen, keine Prozeduren (rpc).',
        )}
      >
        {halves.length > 1 && (
          <SelectField
            label={t('Sparte')}
            options={halves.map((half) => ({ value: half, label: halfName(half) }))}
            {...(art === 'person' && { emptyOption: t('beide') })}
            {...text('haelfte')}
          />
        )}
        <RecordField
          filter={KUNDE_FILTER}
          label={t('Nur ein Kunde (freiwillig)')}
          value={values.kunde}
          apply={(kunde) => set({ kunde })}
        />
      </FieldGroup>
      <fieldset className="program-key-groups">
        <legend>{t('Bereiche')}</legend>
        <p className="field-hint">
          {within.gruppen === null ? t('Ohne Auswahl gelten alle.') : t('Bitte wählen Sie mindestens einen.')}
        </p>
        {errorOf('gruppen') !== undefined && (
          <p className="field-error" role="alert">
            {errorOf('gruppen')}
          </p>
        )}
        {groups.map((group) => (
          <Checkbox
            key={group}
            label={groupName(group)}
            checked={values.gruppen.includes(group)}
            onChange={({ target }) =>
              set({
                gruppen: target.checked
                  ? [...values.gruppen, group]
                  : values.gruppen.filter((other) => other !== group),
              })
            }
          />
        ))}
      </fieldset>
    </>
  )
}

export function ProofFields({ form: { text }, asked }: { form: DialogForm<KeyInput>; asked: Asked }) {
  if (asked.proof === null)
    return (
      <p className="soft">
        {t('Ihre Anmeldung darf höchstens 15 Minuten alt sein. Melden Sie sich sonst ab und neu an.')}
      </p>
    )
  return (
    <FieldGroup
      title={t('Bitte bestätigen Sie, dass Sie es sind')}
      hint={t('So kann niemand an Ihrem entsperrten Bildschirm einen Schlüssel anlegen.')}
    >
      <TextField
        label={t('Ihr Passwort')}
        type="password"
        autoComplete="current-password"
        maxLength={256}
        required
        {...text('passwort')}
      />
      {asked.proof.zweiter_faktor && (
        <TextField
          label={t('Code der Authenticator-App')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          required
          {...text('code')}
        />
      )}
    </FieldGroup>
  )
}

/** What every key has. */
export function NameAndEnd({ form }: { form: DialogForm<KeyInput> }) {
  return (
    <FieldGrid>
      <TextField
        label={t('Name')}
        hint={t('Welches Programm, und wo? Zum Beispiel „QGIS Büro“. So steht es im Verlauf.')}
        maxLength={60}
        required
        autoComplete="off"
        {...form.text('name')}
      />
      <DateField
        label={t('Gilt bis')}
        hint={t('Höchstens ein Jahr. Zwei Wochen vorher erinnern wir Sie.')}
        required
        {...form.text('bis')}
      />
    </FieldGrid>
  )
}
