// The links of a person to records of one kind: a table whose rows can be removed, and a form above it to add
// one.
import { type ReactNode, useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card } from '../../ui/Display.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useChange } from './nutzer.data.ts'

export interface LinkTableProps<Link> {
  person: NutzerRecord
  query: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown }
  /** Undefined until loaded. */
  rows: readonly Link[] | undefined
  caption: string
  columns: readonly Column<Link>[]
  idOf: (link: Link) => number
  named: (link: Link) => string
  /** Removes the link. */
  remove: (id: number) => Promise<unknown>
  /** What the person loses by removing it. */
  loss: string
  /** Another change of these links is running. */
  busy: boolean
  add: ReactNode
  empty: ReactNode
}

export function LinkTable<Link>({
  person,
  query,
  rows,
  idOf,
  named,
  remove: removing,
  ...rest
}: LinkTableProps<Link>) {
  const [leaving, setLeaving] = useState<Link | null>(null)
  const remove = useChange(String(person.user_id), removing)
  if (query.isError && rows === undefined)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  const way: Column<Link> = {
    key: 'tun',
    title: t('Zuordnung'),
    align: 'end',
    cell: (link) => (
      <Button
        size="small"
        icon="trash"
        disabled={rest.busy || remove.isPending}
        aria-label={t('{name} lösen', { name: named(link) })}
        onClick={() => setLeaving(link)}
      >
        {t('Lösen')}
      </Button>
    ),
  }
  return (
    <Card flush>
      {rest.add}
      <DataTable
        caption={rest.caption}
        columns={[...rest.columns, way]}
        rows={rows ?? []}
        rowKey={idOf}
        loading={query.isPending}
        skeletonRows={3}
        empty={rest.empty}
      />
      <ConfirmDialog
        open={leaving !== null}
        title={t('Zuordnung lösen?')}
        record={leaving ? `${nameOf(person)} – ${named(leaving)}` : ''}
        confirmLabel={t('Lösen')}
        danger
        busy={remove.isPending}
        onConfirm={() =>
          leaving &&
          remove.mutateAsync(idOf(leaving)).then(() => {
            toast.success(t('{name} ist gelöst.', { name: named(leaving) }))
            setLeaving(null)
          })
        }
        onCancel={() => setLeaving(null)}
      >
        <p>{rest.loss}</p>
      </ConfirmDialog>
    </Card>
  )
}
