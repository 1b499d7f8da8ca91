// Areas by species and age class, after the other filters. Clicking a bar narrows list and map; clicking it
// again resets that.
import { useId } from 'react'
import { byGroup, byClass } from '#domain/bestand.ts'
import { BarList } from '../../ui/chart/BarList.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { EMPTY, type TableRow } from './bestand-list.tsx'
import { groupColor, groupName, haText, ageClassColor, ageClassName } from './waldbestand-words.ts'

interface Props {
  /** Narrowed by all filters but the chart's own. */
  forSpecies: readonly TableRow[]
  forAgeClasses: readonly TableRow[]
  arten: readonly string[]
  ageClasses: readonly string[]
  onKind: (value: string) => void
  onAgeClass: (value: string) => void
}

export function Charts({ forSpecies, forAgeClasses, arten, ageClasses, onKind, onAgeClass }: Props) {
  const [species, classes] = [byGroup(forSpecies), byClass(forAgeClasses)]
  // Both are areas: a hectare is as long in one as in the other.
  const scale = Math.max(1, ...[...species, ...classes].map(({ ha }) => ha))
  return (
    <div className="wald-bilder">
      <Picture
        title={t('Fläche nach Baumart')}
        scale={scale}
        zeilen={species.map(({ key, ha }) => ({
          key,
          name: groupName(key),
          ha,
          farbe: groupColor(key),
        }))}
        chosen={arten}
        onPress={onKind}
      />
      <Picture
        title={t('Fläche nach Altersklasse')}
        scale={scale}
        zeilen={classes.map(({ key, ha }) => ({
          key: key === null ? EMPTY : String(key),
          name: ageClassName(key),
          ha,
          farbe: ageClassColor(key),
        }))}
        chosen={ageClasses}
        onPress={onAgeClass}
      />
    </div>
  )
}

function Picture({
  title,
  scale,
  zeilen,
  chosen,
  onPress,
}: {
  title: string
  scale: number
  zeilen: readonly {
    readonly key: string
    readonly name: string
    readonly ha: number
    readonly farbe: string
  }[]
  chosen: readonly string[]
  onPress: (key: string) => void
}) {
  const id = useId()
  const whole = zeilen.reduce((sum, { ha }) => sum + ha, 0)
  return (
    <Card title={title}>
      {zeilen.length === 0 ? (
        <p className="soft">{t('Kein Bestand passt zu diesem Filter')}</p>
      ) : (
        <BarList
          label={title}
          scale={scale}
          rows={zeilen.map(({ key, name, ha, farbe }) => {
            const text = t('{n} · {p} %', {
              n: haText(ha),
              p: formatNumber(whole > 0 ? Math.round((ha / whole) * 100) : 0),
            })
            return {
              key: `${id}${key}`,
              name,
              text,
              parts: [
                {
                  key: 'ha',
                  value: ha,
                  farbe,
                  label: `${name}: ${text}`,
                  chosen: chosen.includes(key),
                  onPress: () => onPress(key),
                },
              ],
            }
          })}
        />
      )}
    </Card>
  )
}
