// The pages of the survey, each loaded on demand. Listed here and not in the route table, because their file names
// would add to everybody's first load.
import type { ComponentType } from 'react'

export const pages = {
  index: async () => (await import('./KatasterPage.tsx')).KatasterPage,
  import: async () => (await import('./KatasterImportPage.tsx')).KatasterImportPage,
  objekt: async () => (await import('./ObjectPage.tsx')).ObjectPage,
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>
