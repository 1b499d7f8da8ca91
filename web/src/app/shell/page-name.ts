// Which page is open and what it is called: by its route, or by the record that the page names.
import { useRouterState } from '@tanstack/react-router'
import { useCallback, useEffect, useState } from 'react'
import { t } from '../../ui/text.ts'
import { type RouteLine, routeOf } from '../routes.ts'

export interface OpenPage {
  readonly path: string
  readonly line: RouteLine | undefined
  readonly params: Readonly<Record<string, string>>
  readonly search: Readonly<Record<string, string>>
  /** Name of the record, as soon as the page knows it. */
  readonly record: string | null
  readonly setRecord: (record: string | null) => void
}

export function useNamedPage(appTitle: string): OpenPage {
  const match = useRouterState({ select: (state) => state.matches.at(-1) })
  const path = match?.pathname ?? '/'
  const line = match?.staticData.line ?? routeOf(path)
  const [named, setNamed] = useState<{ path: string; record: string } | null>(null)
  const record = named?.path === path ? named.record : null
  const setRecord = useCallback((next: string | null) => setNamed(next === null ? null : { path, record: next }), [path])
  const title = record ?? (line?.title ? t(line.title) : undefined)
  useEffect(() => {
    document.title = title ? `${title} - ${appTitle}` : appTitle
  }, [title, appTitle])
  return {
    path,
    line,
    params: (match?.params ?? {}) as Record<string, string>,
    search: (match?.search ?? {}) as Record<string, string>,
    record,
    setRecord,
  }
}
