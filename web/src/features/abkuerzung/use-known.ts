// All abbreviations, regardless of the list's filters: for the letters, the groups and the duplicate check.
import { useQuery } from '@tanstack/react-query'
import type { Abkuerzung } from '#contract/abkuerzung.ts'
import { arrayQuery } from '../../list/use-list-rows.ts'
import { ABKUERZUNGEN } from './abkuerzung-list.tsx'

const NONE: readonly Abkuerzung[] = []
export const useKnown = (): readonly Abkuerzung[] => useQuery(arrayQuery(ABKUERZUNGEN)).data ?? NONE
