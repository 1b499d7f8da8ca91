// What a page knows of its address, and how it moves on. Pages ask this and not the router, so that a page that is kept in the background never sees
// another page's address.
import { createContext, useContext } from 'react'

export interface View {
  readonly path: string
  /** Parts of the path: {id: '17'}. Ids are digits. */
  readonly params: Readonly<Record<string, string>>
  /** The query, as text. */
  readonly search: Readonly<Record<string, string>>
  /** Title of the route. */
  readonly title: string
  /** Reached from another page and not by loading the application: the heading takes the focus. */
  readonly arrived: boolean
  /** Changes parts of the query; undefined or '' takes one away. `replace` while typing, otherwise the back button returns to the state before. */
  readonly setSearch: (
    change: Readonly<Record<string, string | undefined>>,
    how?: { replace?: boolean },
  ) => void
  /** Goes to an address of this application. */
  readonly go: (href: string, how?: { replace?: boolean }) => void
  /** Tells the shell what this page is about (the record's name), for breadcrumb and window title. */
  readonly setTitle: (title: string | null) => void
  /** Another page is shown, and this one is kept in the background with all it holds. */
  readonly isHidden: () => boolean
}

export const ViewContext = createContext<View | null>(null)

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('useView outside of a page')
  return view
}
