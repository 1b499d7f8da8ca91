// Issues a draft, once and for all.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { ApiError } from '../../data/api-error.ts'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { forgetBelege, numbersQuery, previewQuery } from './beleg.data.ts'
import type { DocKind } from './beleg-kinds.ts'
import type { DraftRow } from './draft-spec.ts'
import type { Live } from './position/use-live.ts'

interface Props {
  open: boolean
  docKind: DocKind
  row: Pick<DraftRow, 'id' | 'version' | 'kunde'>
  /** Of the document. */
  day: string
  store: { readonly get: () => Pick<Live, 'summen'> | null }
  onClose: () => void
}

/** `mehr`: the server said that more is billed than was offered; issuing again confirms it. */
function useIssue({ docKind, row, onClose }: Pick<Props, 'docKind' | 'row' | 'onClose'>) {
  const view = useView()
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [extra, setMore] = useState(false)
  const issue = async () => {
    const id = String(row.id)
    setBusy(true)
    try {
      const stand = client.getQueryData(previewQuery(docKind.docKind, id, row.version).queryKey)?.stand
      const { nummer } = await docKind.issue(id, { version: row.version, stand, extra })
      toast.success(t('{nummer} wurde ausgestellt.', { nummer }))
      await forgetBelege(client)
      view.go(docKind.record(id), { replace: true })
      onClose()
    } catch (error) {
      if (
        error instanceof ApiError &&
        (error.rule === 'mehr_als_angeboten' || error.rule === 'abschlag_zu_hoch')
      )
        return setMore(true)
      void forgetBelege(client)
      throw error
    } finally {
      setBusy(false)
    }
  }
  return { busy, mehr: extra, issue }
}

export function IssueDialog({ open, docKind, row, day, store, onClose }: Props) {
  const { busy, mehr, issue } = useIssue({ docKind, row, onClose })
  const numbers = useQuery({ ...numbersQuery, enabled: open })
  const next = numbers.data?.find((range) => range.art === docKind.docKind)?.naechste_nummer
  const sums = open ? store.get()?.summen : undefined
  return (
    <ConfirmDialog
      open={open}
      title={docKind.words().issue}
      record={row.kunde}
      confirmLabel={mehr ? t('Trotzdem ausstellen') : t('Endgültig ausstellen')}
      busy={busy}
      onConfirm={issue}
      onCancel={onClose}
    >
      <p>
        {t('Nummer {nummer}, Datum {datum}.', {
          nummer: next ?? t('die nächste freie'),
          datum: formatDate(day),
        })}
      </p>
      {mehr && <Notice tone="warning">{t('Es wird mehr abgerechnet, als angeboten war.')}</Notice>}
      {sums && <p>{t('Brutto: {betrag}', { betrag: formatEuro(sums.brutto) })}</p>}
      <p>{t('Das ist endgültig: Danach lässt sich nichts mehr ändern oder löschen.')}</p>
    </ConfirmDialog>
  )
}
