// Names of the address levels at this headquarters. An empty name means the level is not used.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { DEFAULT_LEVELS } from '#domain/bestand.ts'
import { ApiError } from '../../data/api-error.ts'
import { rpc } from '../../data/rpc.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'

const LONGEST = 40

interface Props {
  forest: Waldbestand
  onClose: () => void
}

const faultText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return t('Das hat nicht geklappt. Bitte versuchen Sie es noch einmal.')
  return error.status === 409
    ? t(
        'Der Forstbetrieb wurde inzwischen geändert. Schließen Sie das Fenster, und öffnen Sie es noch einmal.',
      )
    : error.message
}

function useSaveLevels({ forest, onClose }: Props, names: readonly string[], dirty: boolean) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const disarm = useUnsavedChanges(dirty)
  async function save(): Promise<void> {
    const levels = names.map((name) => name.trim())
    if (levels.every((name) => name === '')) return setFault(t('Bitte benennen Sie mindestens eine Ebene.'))
    setBusy(true)
    setFault(null)
    try {
      await rpc('a_set_hq_ebenen', { hq_id: forest.idHQ, ebenen: levels, version: forest.version })
      void client.invalidateQueries({ queryKey: ['habitat', 'list'] })
      await client.invalidateQueries({ queryKey: ['waldbestand', String(forest.idHQ)] })
      disarm()
      toast.success(t('Die Ebenen sind gespeichert.'))
      onClose()
    } catch (error) {
      setBusy(false)
      setFault(faultText(error))
    }
  }
  return { busy, fault, save }
}

export function LevelsDialog({ forest, onClose }: Props) {
  const [names, setNames] = useState<readonly string[]>(forest.ebenen)
  const dirty = names.some((name, at) => name.trim() !== (forest.ebenen[at] ?? ''))
  const used = (at: number): boolean => forest.bestaende.some(({ l }) => (l[at] ?? '') !== '')
  const { busy, fault, save } = useSaveLevels({ forest, onClose }, names, dirty)
  return (
    <FormDialog
      title={t('Ebenen der forstlichen Adresse')}
      submitLabel={t('Speichern')}
      busy={busy}
      disabled={!dirty}
      dirty={dirty}
      unsaved={t('Die geänderten Namen gehen verloren.')}
      fault={fault}
      faultTitle={t('Nicht gespeichert')}
      onSubmit={save}
      onClose={onClose}
    >
      <p className="soft">
        {t('Von der größten Einheit zur kleinsten. Lassen Sie leer, was dieser Betrieb nicht verwendet.')}
      </p>
      {names.map((name, at) => (
        <TextField
          // oxlint-disable-next-line react/no-array-index-key -- always the same five levels
          key={at}
          label={t('Ebene {n}', { n: at + 1 })}
          placeholder={DEFAULT_LEVELS[at] ?? ''}
          maxLength={LONGEST}
          value={name}
          hint={
            name.trim() === '' && used(at)
              ? t('In den Beständen steht hier etwas: Es erscheint dann ohne Namen.')
              : undefined
          }
          onChange={({ target }) => setNames(names.map((one, nr) => (nr === at ? target.value : one)))}
        />
      ))}
      <Button variant="quiet" onClick={() => setNames(DEFAULT_LEVELS)}>
        {t('Übliche Namen einsetzen')}
      </Button>
    </FormDialog>
  )
}
