// Queries and mutations for credit transfers.
import type { TransferRun } from '#contract/eingang.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { rpc } from '../../../data/rpc.ts'
import { t } from '../../../ui/text.ts'
import { EINGANG_KEY } from '../eingang/eingang.data.ts'
import { type BankFileKind, handOut } from '../sepa/bank-files.ts'
import { transferFileName, transferFileOf } from './transfer-file.ts'

/** Below the key of received invoices, so that every action on one refetches this too. */
export const PAYABLE_KEY = [...EINGANG_KEY, 'zahlbar'] as const
export const fetchPayable = (signal: AbortSignal) => rpc('a_get_zahlbare', {}, { signal })

export const TRANSFER_FILES: BankFileKind<TransferRun> = {
  queryKey: [...EINGANG_KEY, 'zahllauf'],
  load: (signal) => rpc('a_get_zahllaeufe', {}, { signal }),
  download: (run) =>
    handOut(
      transferFileOf(run),
      (sha256) => rpc('a_set_zahllauf_datei', { lauf_id: run.id, sha256 }),
      (blob) => saveBlob(blob, transferFileName(run)),
    ),
  withdraw: (lauf_id, reason) => rpc('a_revoke_zahllauf', { lauf_id, grund: reason }),
  changes: [EINGANG_KEY],
  lastDay: ({ tag, zeilen }) => zeilen.reduce((last, line) => (line.tag > last ? line.tag : last), tag),
  words: () => ({
    day: t('Ausführung am'),
    withdrawn: t('Die Datei ist zurückgezogen. Ihre Rechnungen können wieder überwiesen werden.'),
  }),
}
