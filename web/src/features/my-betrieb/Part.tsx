// A part of the home page. Each part loads separately, so that a failing one does not affect the others.
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

/** Loading, failed, or its content. */
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
