// The way to the borders walked in the forest, from the page of the stands.
import { useQuery } from '@tanstack/react-query'
import type { Waldbestand } from '#contract/bestand.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { bordersQuery } from './borders.data.ts'

/** How many wait is said with the link. */
export function BordersLink({ forest }: { forest: Waldbestand }) {
  const { data } = useQuery(bordersQuery(String(forest.idHQ)))
  const waiting = data?.filter(({ stand }) => stand === 'offen').length ?? 0
  return (
    <ButtonLink href={`/waldbestand/index?fb=${forest.idHQ}&grenzen=1`} icon="map">
      {waiting === 0
        ? t('Grenzen aus dem Wald')
        : t('Grenzen aus dem Wald ({n})', { n: formatNumber(waiting) })}
    </ButtonLink>
  )
}
