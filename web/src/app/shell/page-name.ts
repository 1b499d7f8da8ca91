// The current page and its title: from its route, or from the record that the page reports.
import { useEffect } from 'react'
import { t } from '../../ui/text.ts'
import { usePlace } from '../routing/RouterProvider.tsx'
import type { RoutedPage } from '../views/kept-pages.ts'

export interface OpenPage extends RoutedPage {
  /** Name of the record, once the page knows it. */
  readonly record: string | null
  /** Names of records whose pages have been opened, by path. */
  readonly names: Readonly<Record<string, string>>
}

export function useRoutedPage(): RoutedPage {
  const place = usePlace()
  const { pathname, searchStr, line, params, search } = place
  return { path: pathname, href: pathname + searchStr, line, params, search, visit: place }
}

/** Title of a page: its record's name, else its route's title. */
export const titleOf = (
  { path, line }: Pick<RoutedPage, 'path' | 'line'>,
  names: OpenPage['names'],
): string | null => names[path] ?? (line?.title ? t(line.title) : null)

export function useWindowTitle(title: string | null, appTitle: string) {
  useEffect(() => {
    document.title = title ? `${title} - ${appTitle}` : appTitle
  }, [title, appTitle])
}
