// Which of several headquarters a person works with: the one chosen last, on any page, as long as it is theirs and enabled.
import type { HqRecord } from '#contract/hq.ts'
import { setPreference, usePreference } from '../ui/preferences.ts'
import { useSession } from './session.ts'

type Known = Pick<HqRecord, 'idHQ' | 'fb_enabled'>

/** Of several the one to begin with: chosen last, else the usual one, else the first; one that is not enabled only for those who look at such, or where there is no other. */
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

/** 0: none yet. */
export const useChosenHq = (): number => usePreference('betrieb')
export const chooseHq = (idHQ: number): void => setPreference('betrieb', idHQ)

/** The headquarters of the person that the home page shows; null without any. */
export function useActiveHq(): HqRecord | null {
  const { hqs, activeHq } = useSession()
  return beginWith(hqs, { chosen: useChosenHq(), usual: activeHq?.idHQ }) ?? null
}
