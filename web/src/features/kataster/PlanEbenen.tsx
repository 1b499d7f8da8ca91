// Plans of the customer that were laid onto the map, to be shown under the survey. Which file is shown is asked when a plan is ticked.
import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { karteWege } from '#contract/karte-dateien.ts'
import type { KachelWeg } from '../../karte/ol-quellen.ts'
import { rpc } from '../../data/rpc.ts'
import { Checkbox } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'

export interface PlanAuflage {
  readonly key: string
  readonly kachel: KachelWeg
  /** 0 to 1. */
  readonly deckkraft: number
}

export function PlanEbenen({ kunde, onChange }: { kunde: number; onChange: (auflagen: readonly PlanAuflage[]) => void }) {
  const [an, setAn] = useState<readonly number[]>([])
  const [deckkraft, setDeckkraft] = useState(70)
  const plaene = useQuery({
    queryKey: ['kataster', kunde, 'plaene'],
    queryFn: async ({ signal }) => {
      const all = await rpc('a_get_map_list_from_db', { client_id: kunde }, { signal })
      return all.filter(({ georef_typ }) => georef_typ !== null).map(({ id, map_name, reg_nr }) => ({ id, name: reg_nr ?? map_name }))
    },
    staleTime: 60_000,
  })
  const dateien = useQueries({
    queries: an.map((karte) => ({
      queryKey: ['kataster', 'plan', karte],
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const all = await rpc('a_get_karte_dateien', { karte_id: karte }, { signal })
        return all.find(({ art, kacheln }) => art === 'ergebnis' && kacheln)?.id ?? null
      },
      staleTime: 60_000,
    })),
  })
  const found = an.map((karte, at) => `${karte}.${dateien[at]?.data ?? ''}`).join(' ')
  const auflagen = useMemo(
    () =>
      found
        .split(' ')
        .map((text) => text.split('.'))
        .flatMap(([karte = '', datei = '']): PlanAuflage[] =>
          datei === ''
            ? []
            : [{ key: `${karte}.${datei}`, kachel: (z, x, y) => karteWege.auflage(karte, datei, z, x, y), deckkraft: deckkraft / 100 }],
        ),
    [found, deckkraft],
  )
  useEffect(() => onChange(auflagen), [auflagen, onChange])
  if (!plaene.data || plaene.data.length === 0) return null
  return (
    <section className="kataster-plaene" aria-label={t('Eigene Pläne')}>
      <h3>{t('Eigene Pläne')}</h3>
      <ul>
        {plaene.data.map(({ id, name }) => {
          const at = an.indexOf(id)
          return (
            <li key={id}>
              <Checkbox
                label={name}
                checked={at >= 0}
                hint={at >= 0 && dateien[at]?.data === null ? t('Noch nicht auf die Karte gelegt') : undefined}
                onChange={({ target }) => setAn(target.checked ? [...an, id] : an.filter((one) => one !== id))}
              />
            </li>
          )
        })}
      </ul>
      {an.length > 0 && (
        <label className="kataster-deckkraft">
          <span>{t('Deckkraft')}</span>
          <input type="range" min="10" max="100" step="5" value={deckkraft} onChange={({ target }) => setDeckkraft(Number(target.value))} />
          <span className="nums">{deckkraft} %</span>
        </label>
      )}
    </section>
  )
}
