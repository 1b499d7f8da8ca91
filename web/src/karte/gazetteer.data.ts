// Loads the directory of places when it is first needed.
import { queryOptions } from '@tanstack/react-query'

export const gazetteerQuery = queryOptions({
  queryKey: ['karte', 'gazetteer'],
  queryFn: async () => {
    const [{ readGazetteer }, { default: text }] = await Promise.all([
      import('./gazetteer.ts'),
      import('./gazetteer-places.json?raw'),
    ])
    return readGazetteer(text)
  },
  staleTime: Number.POSITIVE_INFINITY,
  // Everything that waits for it can do without.
  retry: false,
})
