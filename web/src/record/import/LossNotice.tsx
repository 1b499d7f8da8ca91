// What an import leaves out of a file, before it is applied.
import type { ImportLoss, LossKind } from '#domain/vermessung/losses.ts'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

const SHOWN_NAMES = 12

const TEXTS: Readonly<Record<LossKind, (count: string, names: string) => string>> = {
  spalten: (n, names) => t('Spalten ohne Feld ({n}): {names}', { n, names }),
  elemente: (n, names) => t('Nicht übernommene Teile der Datei ({n}): {names}', { n, names }),
  hoehen: (n) =>
    t('Objekte mit Höhen ({n}): Von einer Linie bleiben Sohlhöhe und Gefälle, weitere Höhen entfallen.', {
      n,
    }),
  masse: (n) => t('Objekte mit Messwerten M ({n}): Die Messwerte entfallen.', { n }),
  boegen: (n) =>
    t('Objekte mit Bögen ({n}): Bögen werden auf einen Zentimeter genau durch Strecken ersetzt.', { n }),
}

function namesOf({ spalten = [] }: ImportLoss): string {
  const shown = spalten.slice(0, SHOWN_NAMES).join(', ')
  return spalten.length > SHOWN_NAMES
    ? t('{names} und {n} weitere', { names: shown, n: spalten.length - SHOWN_NAMES })
    : shown
}

export function LossNotice({ hinweise }: { hinweise: readonly ImportLoss[] }) {
  if (hinweise.length === 0) return null
  return (
    <Notice tone="info" title={t('Nicht alles aus der Datei wird übernommen')}>
      <ul>
        {hinweise.map((loss) => (
          <li key={`${loss.schicht} ${loss.art}`}>
            {loss.schicht}: {TEXTS[loss.art](formatNumber(loss.anzahl), namesOf(loss))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
