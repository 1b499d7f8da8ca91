import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { makeQueryClient } from './query-client.ts'

const change = (client: QueryClient, mutationFn: () => Promise<unknown>) =>
  client.getMutationCache().build(client, { mutationFn }).execute(undefined)

test('after a change, what is off the screen is asked for again when shown; what never changes is not', async () => {
  const client = makeQueryClient()
  const asked: string[] = []
  const query = (name: string, staleTime: number) => ({
    queryKey: [name],
    queryFn: () => Promise.resolve(asked.push(name)),
    staleTime,
  })
  const [figures, photo, shown] = [
    query('figures', 60_000),
    query('photo', Number.POSITIVE_INFINITY),
    query('shown', 60_000),
  ]
  const leave = new QueryObserver(client, shown).subscribe(() => undefined)
  const show = async () => {
    for (const one of [figures, photo, shown]) await client.fetchQuery(one)
    return asked.splice(0)
  }
  expect((await show()).toSorted()).toEqual(['figures', 'photo', 'shown'])
  expect(await show()).toEqual([])
  await change(client, () => Promise.resolve())
  expect(await show()).toEqual(['figures'])
  // Its answer was lost, but it may have happened.
  await change(client, () => Promise.reject(new Error('no answer'))).catch(() => undefined)
  expect(await show()).toEqual(['figures'])
  leave()
  client.clear()
})
