// Files that go with an invoice: reading them, for the office and for the customer.
import { queryOptions } from '@tanstack/react-query'
import { type Anlage, anlagePaths } from '#contract/anlage.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'
import { saveBlob } from './PdfView.tsx'

export const ANLAGEN_KEY = ['anlagen'] as const
export const anlagenQuery = (invoice: number | string) =>
  queryOptions({
    queryKey: [...ANLAGEN_KEY, String(invoice)],
    queryFn: ({ signal }) => rpc('a_get_anlagen', { invoice_id: invoice }, { signal }),
  })

/** @throws ApiError */
export async function saveAnlage(invoice: number | string, { id, dateiname }: Anlage): Promise<void> {
  saveBlob(await fetchBlob(anlagePaths.file(invoice, id)), dateiname)
}
