// Which subscriptions a headquarters has and which it can start.
import type { AboModule, AboRow, GutscheinCheck } from '#contract/abo.ts'
import type { HqRecord, KundeHq } from '#contract/hq.ts'

export const isRunning = ({ zustand }: Pick<AboRow, 'zustand'>): boolean => zustand !== 'beendet'

export const runningOf = (abos: readonly AboRow[], hqId: number): AboRow[] =>
  abos.filter((abo) => abo.hqid === hqId && isRunning(abo))
export const pastOf = (abos: readonly AboRow[], hqId: number): AboRow[] =>
  abos.filter((abo) => abo.hqid === hqId && !isRunning(abo))

/** The modules switched on for a headquarters. */
export type Switches = Pick<KundeHq, 'hqid' | 'fe_enabled' | 'basis_fe_enabled' | 'kawm_enabled'>
/** Why a module cannot be started; null if it can. fe contains basis_fe, so the two exclude each other. */
export function obstacleOf(
  moduleName: AboModule,
  running: readonly Pick<AboRow, 'modul'>[],
  switches?: Omit<Switches, 'hqid'>,
): 'laeuft' | 'fe_laeuft' | 'basis_fe_laeuft' | 'an' | 'fe_an' | null {
  const has = (other: AboModule) => running.some((abo) => abo.modul === other)
  if (has(moduleName)) return 'laeuft'
  if (moduleName === 'basis_fe' && has('fe')) return 'fe_laeuft'
  if (moduleName === 'fe' && has('basis_fe')) return 'basis_fe_laeuft'
  // Switched on by the provider without a subscription.
  if (switches?.[`${moduleName}_enabled`]) return 'an'
  return moduleName === 'basis_fe' && switches?.fe_enabled ? 'fe_an' : null
}

/** Codes are checked before anything starts, so that nobody agrees to a price that was not on the screen. */
export const isUnchecked = (code: string, voucher: Pick<GutscheinCheck, 'gueltig'> | null): boolean =>
  code.trim() !== '' && voucher?.gueltig !== true

/** Only enabled headquarters can subscribe. */
export const subscribable = (hqs: readonly HqRecord[]): HqRecord[] =>
  hqs.filter(({ fb_enabled }) => fb_enabled)
