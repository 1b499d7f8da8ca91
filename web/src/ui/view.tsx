// A page's address and navigation. Pages use this instead of the router, so that a page kept in the
// background never sees another page's address.
import { createContext, type ReactNode, useContext } from 'react'

export interface View {
  readonly path: string
  /** Path parameters: {id: '17'}. Ids are digits. */
  readonly params: Readonly<Record<string, string>>
  /** The query, as text. */
  readonly search: Readonly<Record<string, string>>
  /** Title of the route. */
  readonly title: string
  /** Reached from another page and not by loading the application, so the heading takes focus. */
  readonly arrived: boolean
  /**
   * Changes query parameters; undefined or '' removes one. Use `replace` while typing; otherwise the back
   * button returns to the previous state.
   */
  readonly setSearch: (
    change: Readonly<Record<string, string | undefined>>,
    how?: { replace?: boolean },
  ) => void
  /** Navigates to an address of this application. */
  readonly go: (href: string, how?: { replace?: boolean }) => void
  /** Reports the page's subject (the record's name) to the shell, for breadcrumb and window title. */
  readonly setTitle: (title: string | null) => void
  /** Whether another page is shown and this one is kept in the background with its state. */
  readonly isHidden: () => boolean
  /** What the shell shows beside the heading. */
  readonly mark?: ReactNode
}

export const ViewContext = createContext<View | null>(null)

export function useView(): View {
  const view = useContext(ViewContext)
  if (!view) throw new Error('useView outside of a page')
  return view
}
