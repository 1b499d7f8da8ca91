// Georeferenced plans of the customer, to show beneath the survey.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { kartePaths } from '#contract/karte-files.ts'
import type { TilePath } from '../../karte/ol-sources.ts'
import { rpc } from '../../data/rpc.ts'
import { Checkbox } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

export interface PlanOverlay {
  readonly key: string
  readonly kachel: TilePath
  /** 0 to 1. */
  readonly opacity: number
}

export function PlanLayers({
  kunde,
  onChange,
}: {
  kunde: number
  onChange: (overlays: readonly PlanOverlay[]) => void
}) {
  const [an, setAn] = useState<readonly number[]>([])
  const [opacity, setOpacity] = useState(70)
  const plans = useQuery({
    queryKey: ['kataster', kunde, 'plaene'],
    queryFn: async ({ signal }) => {
      const all = await rpc('a_get_map_list_from_db', { client_id: kunde }, { signal })
      return all.flatMap(({ id, map_name, ergebnis }) =>
        ergebnis === null ? [] : [{ id, name: map_name, datei: ergebnis }],
      )
    },
    staleTime: 60_000,
  })
  const { data } = plans
  const overlays = useMemo(
    () =>
      (data ?? [])
        .filter(({ id }) => an.includes(id))
        .map(
          ({ id, datei }): PlanOverlay => ({
            key: `${id}.${datei}`,
            kachel: (z, x, y) => kartePaths.overlay(id, datei, z, x, y),
            opacity: opacity / 100,
          }),
        ),
    [data, an, opacity],
  )
  useEffect(() => onChange(overlays), [overlays, onChange])
  if (!data || data.length === 0) return null
  return (
    <section className="kataster-plaene" aria-label={t('Eigene Pläne')}>
      <h3>{t('Eigene Pläne')}</h3>
      <ul>
        {data.map(({ id, name }) => (
          <li key={id}>
            <Checkbox
              label={name}
              checked={an.includes(id)}
              onChange={({ target }) => setAn(target.checked ? [...an, id] : an.filter((one) => one !== id))}
            />
          </li>
        ))}
      </ul>
      {an.length > 0 && (
        <label className="kataster-deckkraft">
          <span>{t('Deckkraft')}</span>
          <input
            type="range"
            min="10"
            max="100"
            step="5"
            value={opacity}
            onChange={({ target }) => setOpacity(Number(target.value))}
          />
          <span className="nums">{opacity} %</span>
        </label>
      )}
    </section>
  )
}
