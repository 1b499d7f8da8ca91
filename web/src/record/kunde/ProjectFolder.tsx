// The customer's project folder on the file server: a single path segment. Saved immediately, apart from the
// form beside it.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { folderFault, proposeFolder } from '#domain/project-folder.ts'
import { ApiError } from '../../data/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { messageOf } from '../record-faults.ts'
import './kunde-form.css'
import { folderFaultText, tidyFolder } from './kunde-form.ts'
import { folderNeighbours, useSetting } from './kunde-record.data.ts'

export function ProjectFolder({ kunde }: { kunde: Kunde }) {
  const [typed, setTyped] = useState<string | null>(null)
  const [error, setError] = useState<string>()
  const setting = useSetting(String(kunde.client_id))
  const text = typed ?? kunde.ordner ?? ''
  const isChanged = typed !== null && typed !== (kunde.ordner ?? '')
  const proposal = proposeFolder(kunde.name, kunde.client_id)
  useUnsavedChanges(isChanged)
  const type = (value: string) => {
    setTyped(value)
    setError(undefined)
  }
  const save = () => {
    if (setting.isPending) return
    const folder = tidyFolder(text)
    const fault = folderFault(folder)
    setError(fault === null ? undefined : folderFaultText(fault))
    if (fault !== null) return
    setting.mutate(
      { ordner: folder === '' ? null : folder },
      {
        onSuccess: () => {
          setTyped(null)
          toast.success(folder === '' ? t('Projektordner entfernt.') : t('Projektordner gespeichert.'))
        },
        onError: (refused) =>
          setError(
            refused instanceof ApiError && refused.code === 'bad_value'
              ? t('Diesen Ordnernamen nimmt der Server nicht an. Bitte nur einen Namen, keinen Pfad.')
              : messageOf(refused),
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
        hint={
          <>
            {t('Name des Ordners auf dem Dateiserver, ohne Pfad.')}{' '}
            <FolderNeighbours kunde={kunde} text={text} />
          </>
        }
        error={error}
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => type(target.value)}
        onBlur={() => {
          const fault = folderFault(tidyFolder(text))
          if (isChanged && fault !== null) setError(folderFaultText(fault))
        }}
      />
      {text === '' && (
        <div>
          <Button size="small" className="ordner-vorschlag" onClick={() => type(proposal)}>
            {t('Vorschlag: {name}', { name: proposal })}
          </Button>
        </div>
      )}
      {isChanged && (
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

/** Two customers may share a folder on purpose; the hint prevents doing so by mistake. */
function FolderNeighbours({ kunde, text }: { kunde: Kunde; text: string }) {
  const asked = useDeferredValue(tidyFolder(text))
  const { data = [] } = useQuery({
    ...folderNeighbours(kunde.client_id, asked),
    enabled: asked !== '' && folderFault(asked) === null,
  })
  const [first] = data
  if (first === undefined) return null
  return (
    <strong>
      {t('Denselben Ordner hat schon {name} (Kundennummer {id}).', { name: first.name, id: first.client_id })}
    </strong>
  )
}
