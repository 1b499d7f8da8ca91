// The figures of the grant, asked by the home page and by the page of KAWM.
import { queryOptions } from '@tanstack/react-query'
import { rpc } from '../../data/rpc.ts'

export const kawmQuery = (idHQ: number) =>
  queryOptions({
    queryKey: ['habitat', 'kawm', idHQ],
    queryFn: ({ signal }) => rpc('__o_get_kawm', { idHQ }, { signal }),
    staleTime: 60_000,
  })
