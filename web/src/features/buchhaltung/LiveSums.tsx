// Sums that change with every key. Separate components, because only they re-render then.
import { useSyncExternalStore } from 'react'
import { formatEuro } from '#domain/geld.ts'
import { BelegSums } from '../../record/beleg/BelegSums.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { LiveStore } from './use-beleg-check.ts'

export function LiveSums({ store }: { store: LiveStore }) {
  const live = useSyncExternalStore(store.subscribe, store.get)
  return live === null ? (
    <Skeleton lines={3} />
  ) : (
    <BelegSums summen={live.summen} rabatt_prozent={live.rabatt_prozent} live />
  )
}

/** The sums in short, next to the lines. */
export function LiveNetto({ store }: { store: LiveStore }) {
  const live = useSyncExternalStore(store.subscribe, store.get)
  if (live === null) return null
  return (
    <dl className="pos-total">
      <div>
        <dt>{t('Netto')}</dt>
        <dd>{formatEuro(live.summen.netto)}</dd>
      </div>
      <div>
        <dt>{t('Brutto')}</dt>
        <dd>{formatEuro(live.summen.brutto)}</dd>
      </div>
    </dl>
  )
}
