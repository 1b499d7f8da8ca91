// Which page is open and what it is called: by its route, or by the record that the page names.
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { t } from '../../ui/text.ts'
import { routeOf } from '../routes.ts'
import { stringifySearch } from '../search.ts'
import type { RoutedPage } from '../views/kept-pages.ts'

export interface OpenPage extends RoutedPage {
  /** Name of the record, as soon as the page knows it. */
  readonly record: string | null
  /** Names of records whose pages have been open, by path. */
  readonly names: Readonly<Record<string, string>>
}

export function useRoutedPage(): RoutedPage {
  const match = useRouterState({ select: (state) => state.matches.at(-1) })
  const path = match?.pathname ?? '/'
  const search = (match?.search ?? {}) as Record<string, string>
  return {
    path,
    href: path + stringifySearch(search),
    line: match?.staticData.line ?? routeOf(path),
    params: (match?.params ?? {}) as Record<string, string>,
    search,
  }
}

/** Title of a page: its record's name, else its route's. */
export const titleOf = ({ path, line }: Pick<RoutedPage, 'path' | 'line'>, names: OpenPage['names']): string | null =>
  names[path] ?? (line?.title ? t(line.title) : null)

export function useWindowTitle(title: string | null, appTitle: string) {
  useEffect(() => {
    document.title = title ? `${title} - ${appTitle}` : appTitle
  }, [title, appTitle])
}
