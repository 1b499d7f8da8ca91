// Extras of every signed-in page outside of its layout: settings panel, release notes, update offer. They are
// loaded once the first page has its data and is painted.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { splitOff } from '../../ui/split-off.tsx'

const Later = splitOff(async () => (await import('./Later.tsx')).Later, null, { optional: true })

let isTime = false

export function FrameExtras() {
  const client = useQueryClient()
  const [shown, setShown] = useState(isTime)
  useEffect(() => {
    if (!shown) return whenQuiet(client, () => setShown((isTime = true)))
    return undefined
  }, [client, shown])
  return shown && <Later />
}

/** Calls `work` once nothing is being fetched, or after two seconds. Returns a function that stops waiting. */
function whenQuiet(client: QueryClient, work: () => void): () => void {
  let left = 20
  const timer = setInterval(() => {
    if (client.isFetching() > 0 && --left > 0) return
    clearInterval(timer)
    work()
  }, 100)
  return () => clearInterval(timer)
}
