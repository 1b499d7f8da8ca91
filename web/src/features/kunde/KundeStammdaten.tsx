// Master data of one customer: the form with its save bar, and the two settings that take effect by themselves.
import { useState } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { ApiError } from '../../data/api-error.ts'
import { RecordForm } from '../../record/RecordForm.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Checkbox, TextField } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { AdressFelder, EinstellungsFelder, KontaktFelder } from './KundeFelder.tsx'
import { useSetting } from './kunde.data.ts'
import { OrdnerSchema } from './kunde-form.ts'
import type { KundeEditor } from './use-kunde-form.ts'

export function KundeStammdaten({ kunde, editor }: { kunde: Kunde; editor: KundeEditor }) {
  const { form } = editor
  return (
    <div className="kunde-columns">
      <Card>
        <RecordForm editor={editor}>
          <AdressFelder form={form} />
          <KontaktFelder form={form} />
          <EinstellungsFelder form={form} />
        </RecordForm>
      </Card>
      <Card title={t('Projekt')}>
        <Kataster kunde={kunde} />
        <Projektordner kunde={kunde} />
      </Card>
    </div>
  )
}

function Kataster({ kunde }: { kunde: Kunde }) {
  const setting = useSetting(String(kunde.client_id))
  const shown = setting.isPending && 'kataster_status' in setting.variables ? setting.variables.kataster_status : kunde.kataster_status
  return (
    <Checkbox
      label={t('Kataster eingeschaltet')}
      hint={t('Die Nutzer dieses Kunden sehen dann die Übersichten zur Einmessung. Die Umstellung wirkt sofort.')}
      checked={shown}
      aria-busy={setting.isPending}
      onChange={({ target }) => {
        if (setting.isPending) return
        setting.mutate(
          { kataster_status: target.checked },
          {
            onSuccess: (row) => toast.success(row.kataster_status ? t('Kataster eingeschaltet.') : t('Kataster ausgeschaltet.')),
            onError: (error) => toast.error(messageOf(error)),
          },
        )
      }}
    />
  )
}

function Projektordner({ kunde }: { kunde: Kunde }) {
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const setting = useSetting(String(kunde.client_id))
  const text = typed ?? kunde.ordner ?? ''
  const save = () => {
    const read = OrdnerSchema.safeParse(text)
    setError(read.error?.issues[0]?.message)
    if (!read.success) return
    setting.mutate(
      { ordner: read.data === '' ? null : read.data },
      {
        onSuccess: () => {
          setTyped(null)
          toast.success(t('Projektordner gespeichert.'))
        },
        onError: (fault) =>
          setError(
            fault instanceof ApiError && fault.code === 'bad_value'
              ? t('Diesen Ordnernamen nimmt der Server nicht an. Bitte nur einen Namen, keinen Pfad.')
              : messageOf(fault),
          ),
      },
    )
  }
  return (
    <form
      className="kunde-ordner"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={t('Projektordner')}
        hint={t('Name des Ordners auf dem Dateiserver, ohne Pfad.')}
        error={error}
        value={text}
        maxLength={100}
        autoComplete="off"
        onChange={({ target }) => {
          setTyped(target.value)
          setError(undefined)
        }}
      />
      {typed !== null && typed !== (kunde.ordner ?? '') && (
        <Actions>
          <Button type="submit" size="small" variant="primary" busy={setting.isPending}>
            {t('Ordner speichern')}
          </Button>
          <Button
            size="small"
            onClick={() => {
              setTyped(null)
              setError(undefined)
            }}
          >
            {t('Verwerfen')}
          </Button>
        </Actions>
      )}
    </form>
  )
}
