// Queries and mutations for direct debits.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SepaRun } from '#contract/sepa.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { t } from '../../../ui/text.ts'
import { type BankFileKind, handOut } from './bank-files.ts'
import { fileNameOf, fileOf } from './sepa-file.ts'

/** Below the key of invoices, so that every action on one refetches this too. */
export const DEBITS_KEY = ['rechnung', 'lastschriften'] as const
export const MANDATES_KEY = ['rechnung', 'mandate'] as const
const RUNS_KEY = ['rechnung', 'sepa'] as const

export const fetchDebits = (signal: AbortSignal) => rpc('a_get_lastschriften', {}, { signal })
export const fetchMandates = (signal: AbortSignal) => rpc('a_get_mandate', {}, { signal })
const fetchRuns = (signal: AbortSignal) => rpc('a_get_sepa_laeufe', {}, { signal })

/** Refetches everything about direct debits afterwards. */
export function useSepaAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: ['rechnung'] }),
  })
}

/** Files of direct debits. */
export const DEBIT_FILES: BankFileKind<SepaRun> = {
  queryKey: RUNS_KEY,
  load: fetchRuns,
  download: (run) =>
    handOut(
      fileOf(run),
      (sha256) => rpc('a_set_sepa_datei', { lauf_id: run.id, sha256 }),
      (blob) => saveBlob(blob, fileNameOf(run)),
    ),
  withdraw: (lauf_id, reason) => rpc('a_revoke_sepa_lauf', { lauf_id, grund: reason }),
  changes: [['rechnung']],
  words: () => ({
    day: t('Einzug am'),
    withdrawn: t('Die Datei ist zurückgezogen. Ihre Rechnungen können wieder eingezogen werden.'),
  }),
}
