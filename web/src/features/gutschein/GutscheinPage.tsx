// /gutschein/index: vouchers, for the provider's admins.
import { useMemo, useState } from 'react'
import { stateOf } from '#domain/gutschein.ts'
import { ApiError } from '../../data/api-error.ts'
import { ListPage } from '../../list/ListPage.tsx'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import './gutschein.css'
import { formatDate } from '../../ui/format.ts'
import { type GutscheinRow, useIssueCode, useRemoveGutschein } from './gutschein.data.ts'
import { GUTSCHEINE } from './gutschein-list.tsx'
import { gutscheinName, percentText } from './gutschein-words.ts'
import { type GutscheinActions, GutscheinActionsContext } from './RowActions.tsx'

const CreateGutschein = splitOff(async () => (await import('./CreateGutschein.tsx')).CreateGutschein)
const CodeDialog = splitOff(async () => (await import('./CodeDialog.tsx')).CodeDialog)

const message = (error: unknown) => (error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))

export function GutscheinPage() {
  const [adding, setAdding] = useState(false)
  const [shown, setShown] = useState<{ id: number; code: string } | null>(null)
  const [removing, setRemoving] = useState<GutscheinRow | null>(null)
  const issue = useIssueCode()
  const remove = useRemoveGutschein()
  const { mutateAsync: issueCode } = issue

  const show = useMemo(
    () => (id: number) =>
      issueCode(id).then(
        (code) => setShown({ id, code }),
        (error: unknown) => toast.error(message(error)),
      ),
    [issueCode],
  )
  const actions = useMemo<GutscheinActions>(
    () => ({ issue: ({ id }) => void show(id), remove: setRemoving }),
    [show],
  )
  const confirmed = (row: GutscheinRow) =>
    remove.mutateAsync(row.id).then(() => {
      toast.success(t('{name} wurde gelöscht.', { name: gutscheinName(row.id) }))
      setRemoving(null)
    })
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setAdding(true)}>
      {t('Gutschein anlegen')}
    </Button>
  )
  return (
    <GutscheinActionsContext value={actions}>
      <ListPage list={GUTSCHEINE} actions={add} firstSteps={add} />
      {adding && (
        <CreateGutschein
          onClose={() => setAdding(false)}
          onAdded={({ id }) => {
            setAdding(false)
            void show(id)
          }}
        />
      )}
      {shown && <CodeDialog {...shown} onClose={() => setShown(null)} />}
      <ConfirmDialog
        open={removing !== null}
        title={t('Gutschein löschen?')}
        record={removing ? recordText(removing) : ''}
        confirmLabel={t('Löschen')}
        danger
        busy={remove.isPending}
        onConfirm={() => removing && confirmed(removing)}
        onCancel={() => setRemoving(null)}
      >
        <p>
          {removing && stateOf(removing, today()) === 'offen'
            ? t(
                'Wer den Code hat, kann ihn danach nicht mehr einlösen. Das lässt sich nicht rückgängig machen.',
              )
            : t('Das lässt sich nicht rückgängig machen.')}
        </p>
      </ConfirmDialog>
    </GutscheinActionsContext>
  )
}

const recordText = ({ id, rabatt_abo, rabatt_kawm, expire_date }: GutscheinRow) =>
  t('{name}: {abo} auf das Abo, {kawm} auf KAWM, einlösbar bis {day}', {
    name: gutscheinName(id),
    abo: percentText(rabatt_abo),
    kawm: percentText(rabatt_kawm),
    day: formatDate(expire_date),
  })
