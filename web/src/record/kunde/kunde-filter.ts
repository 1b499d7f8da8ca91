// A customer to choose in a dialog, found by name.
import type { Kunde } from '#contract/kunde.ts'
import { contains, eq } from '../../data/addresses.ts'
import { nullIfMissing, selectOne, selectPage } from '../../data/rows.ts'
import type { Option } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

type NamedKunde = Pick<Kunde, 'client_id' | 'name' | 'ort'>
const NAMED = ['client_id', 'name', 'ort'] as const

async function findKunde(text: string, signal: AbortSignal): Promise<Option[]> {
  const { rows } = await selectPage<NamedKunde>('kunde', {
    select: NAMED,
    filters: [contains('suchtext', text.toLowerCase())],
    order: [{ column: 'sortname' }, { column: 'client_id' }],
    limit: 8,
    count: 'none',
    signal,
  })
  return rows.map(({ client_id, name, ort }) => ({ value: String(client_id), label: `${name}, ${ort}` }))
}
export const KUNDE_FILTER = {
  kind: 'record',
  key: 'kunde',
  label: () => t('Kunde'),
  find: findKunde,
  name: async (id: string, signal: AbortSignal) =>
    (await nullIfMissing(selectOne<NamedKunde>('kunde', [eq('client_id', id)], { select: NAMED, signal })))
      ?.name ?? null,
} as const
