// What a page may ask for before it is rendered: as `Page.ahead`, beside its component.
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Session } from './session.ts'

/** Fills the cache with the page's first data. `search` is the query of its address. */
export type Ahead = (client: QueryClient, search: Readonly<Record<string, string>>, session: Session) => void
export type PageComponent = ComponentType & { readonly ahead?: Ahead }
