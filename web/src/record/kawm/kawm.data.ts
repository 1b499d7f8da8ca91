// Query of the grant's figures, used by the home page and the KAWM page.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

/** Below the key of the tree lists, because changing a tree changes these figures. */
export const kawmQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['habitat', 'list', 'kawm', 'figures', idHQ],
    queryFn: ({ signal }) => rpc('__o_get_kawm', { idHQ }, { signal }),
    staleTime: 60_000,
  })
