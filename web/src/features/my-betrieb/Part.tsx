// A part of the home page: it asks for itself, so that one that fails leaves the others.
import type { ReactNode } from 'react'
import { Card } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'

interface Query<T> {
  readonly data: T | undefined
  readonly error: unknown
  readonly refetch: () => unknown
}
interface Props<T> {
  title: string
  query: Query<T>
  lines: number
  actions?: ReactNode
  children: (data: T) => ReactNode
}

/** Loading, failed, or what it says. */
export function Part<T>({ title, query: { data, error, refetch }, lines, actions, children }: Props<T>) {
  return (
    <Card title={title} actions={actions}>
      {data !== undefined ? (
        children(data)
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton lines={lines} />
      )}
    </Card>
  )
}
