// Queries and mutations for direct debits.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SepaRun } from '#contract/sepa.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { fileNameOf, fileOf } from './sepa-file.ts'

/** Below the key of invoices, so that every action on one refetches this too. */
export const DEBITS_KEY = ['rechnung', 'lastschriften'] as const
export const MANDATES_KEY = ['rechnung', 'mandate'] as const
export const RUNS_KEY = ['rechnung', 'sepa'] as const

export const fetchDebits = (signal: AbortSignal) => rpc('a_get_lastschriften', {}, { signal })
export const fetchMandates = (signal: AbortSignal) => rpc('a_get_mandate', {}, { signal })
export const fetchRuns = (signal: AbortSignal) => rpc('a_get_sepa_laeufe', {}, { signal })

/** Refetches everything about direct debits afterwards. */
export function useSepaAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => void client.invalidateQueries({ queryKey: ['rechnung'] }),
  })
}

/** Notes the digest before the file is handed out. False: another file was handed out before. */
export async function downloadRun(run: SepaRun): Promise<boolean> {
  const bytes = new TextEncoder().encode(fileOf(run))
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const isSame = await rpc('a_set_sepa_datei', { lauf_id: run.id, sha256 })
  if (isSame) saveBlob(new Blob([bytes], { type: 'application/xml' }), fileNameOf(run))
  return isSame
}
