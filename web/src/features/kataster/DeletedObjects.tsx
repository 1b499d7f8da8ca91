// What people deleted of a customer's survey: why, who, and putting it back with its photos.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeletedObject } from '#contract/vermessung.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { DateText } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { EmptyState, ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useAttempt } from '../../ui/use-attempt.ts'
import { useView } from '../../ui/view.tsx'
import { deletedQuery, useRestore } from './object.data.ts'

export function DeletedObjects({ kunde }: { kunde: number }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button icon="history" onClick={() => setOpen(true)}>
        {t('Gelöschte Objekte')}
      </Button>
      {open && <ListDialog kunde={kunde} onClose={() => setOpen(false)} />}
    </>
  )
}

const nameOf = ({ tabelle, schluessel }: DeletedObject) =>
  `${kindWords(tabelle).one} ${schluessel ?? ''}`.trim()

function ListDialog({ kunde, onClose }: { kunde: number; onClose: () => void }) {
  const view = useView()
  const query = useQuery(deletedQuery(kunde))
  const restore = useRestore(kunde)
  const { run, fault, busy } = useAttempt()
  const columns: readonly Column<DeletedObject>[] = [
    { key: 'objekt', title: t('Objekt'), cell: nameOf },
    { key: 'grund', title: t('Grund'), cell: ({ grund }) => grund ?? <span className="soft">–</span> },
    {
      key: 'wann',
      title: t('Gelöscht'),
      cell: ({ geloescht_am, wer }) => (
        <>
          <DateText value={geloescht_am} time /> {wer !== null && t('von {who}', { who: wer })}
        </>
      ),
    },
    { key: 'fotos', title: t('Fotos'), align: 'end', cell: ({ bilder }) => bilder },
    {
      key: 'aktion',
      title: t('Aktionen'),
      align: 'end',
      cell: (row) => (
        <Button
          size="small"
          disabled={busy}
          aria-label={t('{name} wiederherstellen', { name: nameOf(row) })}
          onClick={() =>
            run(async () => {
              const href = await restore(row.kennung)
              onClose()
              view.go(href)
            })
          }
        >
          {t('Wiederherstellen')}
        </Button>
      ),
    },
  ]
  return (
    <Dialog
      open
      width="wide"
      title={t('Gelöschte Objekte')}
      dismissible={!busy}
      onClose={onClose}
      footer={
        <Button onClick={onClose} disabled={busy}>
          {t('Schließen')}
        </Button>
      }
    >
      <div className="stack">
        <p className="soft">
          {t('90 Tage lang lassen sie sich mit ihren Fotos und unter ihrer Nummer wiederherstellen.')}
        </p>
        {fault !== null && <Refusal title={t('Nicht wiederhergestellt')}>{fault}</Refusal>}
        {query.isError && query.data === undefined ? (
          <ErrorState error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <DataTable
            caption={t('Gelöschte Objekte')}
            columns={columns}
            rows={query.data ?? []}
            rowKey={({ kennung }) => kennung}
            loading={query.isPending}
            skeletonRows={3}
            empty={
              <EmptyState icon="history" title={t('Nichts gelöscht')}>
                {t('In den letzten 90 Tagen wurde hier kein Objekt gelöscht.')}
              </EmptyState>
            }
          />
        )}
      </div>
    </Dialog>
  )
}
