// Queries and mutations for bank entries, and the import of a statement file.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { BankEingang } from '#contract/eingang.ts'
import type { ImportMappingRow } from '#contract/import.ts'
import type { BankMade, BankMatch, BankUmsatz } from '#contract/zahlung.ts'
import { allBuchungen, bankPortions } from '#domain/camt/portions.ts'
import type { CamtBuchung, CamtStatement } from '#domain/camt/statement.ts'
import type { ReceivedInvoice } from '#domain/reconciliation/received.ts'
import { readSkonto } from '#domain/skonto.ts'
import { eq } from '../../../data/addresses.ts'
import { selectRows } from '../../../data/rows.ts'
import { rpc } from '../../../data/rpc.ts'
import { forgetBelege } from '../beleg.data.ts'
import { EINGANG_KEY } from '../eingang/eingang.data.ts'

export const BANK_KEY = ['bank'] as const
export const openQuery = queryOptions({
  queryKey: [...BANK_KEY, 'offen'],
  queryFn: ({ signal }) => rpc('a_get_bank', { nur_offene: true }, { signal }),
  staleTime: 0,
})
/** The data that suggestions are computed from. */
export const reconciliationQuery = queryOptions({
  queryKey: [...BANK_KEY, 'abgleich'],
  queryFn: async ({ signal }) => {
    const [rechnungen, accountList, eingang] = await Promise.all([
      rpc('a_get_bank_rechnungen', {}, { signal }),
      rpc('a_get_bank_konten', {}, { signal }),
      rpc('a_get_bank_eingang', {}, { signal }),
    ])
    return { rechnungen, accountList, received: eingang.map(receivedOf) }
  },
  staleTime: 0,
})
const receivedOf = ({
  bedingungen,
  lauf_id,
  posten,
  posten_skonto,
  posten_tag,
  ...one
}: BankEingang): ReceivedInvoice => ({
  ...one,
  skonto: readSkonto(bedingungen),
  posten:
    lauf_id === null || posten === null
      ? null
      : { lauf_id, tag: posten_tag ?? '', betrag: posten, skonto: posten_skonto === true },
})

/** The company's own account, which a statement is compared with. */
export const ownBankAccountQuery = queryOptions({
  queryKey: [...BANK_KEY, 'eigenes'],
  queryFn: async ({ signal }) =>
    (await selectRows<{ iban: string }>('lieferant', { select: ['iban'], limit: 1, signal }))[0]?.iban ?? '',
})

/** How a CSV file with this key was read last; null: not yet. Of one's own, as all mappings of imports. */
export const csvFormQuery = (key: string | null) =>
  queryOptions({
    queryKey: [...BANK_KEY, 'csv', key],
    queryFn: async ({ signal }): Promise<Record<string, unknown> | null> =>
      (
        await selectRows<ImportMappingRow>('import_zuordnung', {
          filters: [eq('kopf', key ?? '')],
          limit: 1,
          signal,
        })
      )[0]?.felder ?? null,
    enabled: key !== null,
    staleTime: 0,
  })
export const rememberCsvForm = (key: string, mapping: Record<string, string>) =>
  rpc('a_import_set_zuordnung', { kopf: key, felder: mapping })

const CHUNK_TIMEOUT_MS = 30_000
export interface Counts {
  readonly neu: number
  readonly bekannt: number
  /** New ones on a day that has entries from another kind of file. */
  readonly fraglich: number
}
const inParts = async (
  buchungen: readonly CamtBuchung[],
  ask: (part: CamtBuchung[]) => Promise<Omit<Counts, 'fraglich'> & { readonly fraglich?: number }>,
  onProgress?: (done: number) => void,
): Promise<Counts> => {
  let [added, known, doubtful] = [0, 0, 0]
  for (const part of bankPortions(buchungen)) {
    const counted = await ask(part)
    added += counted.neu
    known += counted.bekannt
    doubtful += counted.fraglich ?? 0
    onProgress?.(added + known)
  }
  return { neu: added, bekannt: known, fraglich: doubtful }
}
export const probeUmsaetze = (
  bankStatements: readonly CamtStatement[],
  signal: AbortSignal,
): Promise<Counts> =>
  inParts(allBuchungen(bankStatements), (umsaetze) =>
    rpc('a_probe_bank', { umsaetze }, { signal, timeoutMs: CHUNK_TIMEOUT_MS }),
  )
/**
 * In parts: a failing one does not affect the others, and importing the same file again only adds what is
 * missing.
 */
export const importUmsaetze = (
  bankStatements: readonly CamtStatement[],
  file: string,
  onProgress: (done: number) => void,
): Promise<Counts> =>
  inParts(
    allBuchungen(bankStatements),
    (umsaetze) => rpc('a_import_bank', { umsaetze, datei: file }, { timeoutMs: CHUNK_TIMEOUT_MS }),
    onProgress,
  )

/** A mutation on entries that refetches everything showing them or their invoices. */
export function useBankAct<Takes, Answers>(mutationFn: (takes: Takes) => Promise<Answers>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: BANK_KEY })
      void client.invalidateQueries({ queryKey: EINGANG_KEY })
      void forgetBelege(client)
    },
  })
}
/** Removes completed entries from the list at once, so that the next one moves up. */
export function useTakeAway() {
  const client = useQueryClient()
  return (ids: ReadonlySet<number>) =>
    client.setQueryData(openQuery.queryKey, (rows: BankUmsatz[] | undefined) =>
      rows?.filter(({ id }) => !ids.has(id)),
    )
}

export const matchAll = (assignments: BankMatch[]) => rpc('a_match_bank_all', { zuordnungen: assignments })
/** `made`: only these payments of the entry. */
export const undoMatch = (umsatz_id: number, reason: string, made?: BankMade) =>
  rpc('a_unmatch_bank', { umsatz_id, grund: reason, ...made })
export const putAway = (umsatz_id: number, done: boolean) =>
  rpc('a_set_umsatz_erledigt', { umsatz_id, erledigt: done })
