// Which of several headquarters a person works with: the one they chose last on any page, if they still have
// access and it is enabled.
import type { HqRecord } from '#contract/hq.ts'
import { setPreference, usePreference } from '../ui/preferences.ts'
import { useSession } from './session.ts'

type Known = Pick<HqRecord, 'idHQ' | 'fb_enabled'>

/**
 * Picks the initial headquarters: the one chosen last, else the usual one, else the first. Disabled ones
 * count only with `any` or if there is no other.
 */
export function beginWith<T extends Known>(
  all: readonly T[],
  {
    chosen,
    usual,
    any = false,
  }: { readonly chosen: number; readonly usual?: number | undefined; readonly any?: boolean },
): T | undefined {
  const open = ({ fb_enabled }: T) => fb_enabled || any
  return (
    all.find((one) => one.idHQ === chosen && open(one)) ??
    all.find((one) => one.idHQ === usual) ??
    all.find(open) ??
    all[0]
  )
}

/** 0 if none was chosen yet. */
export const useChosenHq = (): number => usePreference('betrieb')
export const chooseHq = (idHQ: number): void => setPreference('betrieb', idHQ)

/** The headquarters that the home page shows; null if the person has none. */
export function useActiveHq(): HqRecord | null {
  const { hqs, activeHq } = useSession()
  return beginWith(hqs, { chosen: useChosenHq(), usual: activeHq?.idHQ }) ?? null
}
