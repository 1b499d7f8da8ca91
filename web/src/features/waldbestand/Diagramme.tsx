// Areas by species and by class of age, of what the other filters leave. A press on a bar narrows list and map; once more takes it back.
import { useId } from 'react'
import { nachGruppe, nachKlasse } from '#domain/bestand.ts'
import { BarList } from '../../ui/chart/BarList.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { LEER, type Zeile } from './bestand-list.tsx'
import { gruppeFarbe, gruppeName, haText, klasseFarbe, klasseName } from './waldbestand-words.ts'

interface Props {
  /** Narrowed by all filters but the chart's own. */
  fuerArten: readonly Zeile[]
  fuerKlassen: readonly Zeile[]
  arten: readonly string[]
  klassen: readonly string[]
  onArt: (value: string) => void
  onKlasse: (value: string) => void
}

export function Diagramme({ fuerArten, fuerKlassen, arten, klassen, onArt, onKlasse }: Props) {
  return (
    <div className="wald-bilder">
      <Bild
        title={t('Fläche nach Baumart')}
        zeilen={nachGruppe(fuerArten).map(({ key, ha }) => ({ key, name: gruppeName(key), ha, farbe: gruppeFarbe(key) }))}
        chosen={arten}
        onPress={onArt}
      />
      <Bild
        title={t('Fläche nach Altersklasse')}
        zeilen={nachKlasse(fuerKlassen).map(({ key, ha }) => ({
          key: key === null ? LEER : String(key),
          name: klasseName(key),
          ha,
          farbe: klasseFarbe(key),
        }))}
        chosen={klassen}
        onPress={onKlasse}
      />
    </div>
  )
}

function Bild({
  title,
  zeilen,
  chosen,
  onPress,
}: {
  title: string
  zeilen: readonly { readonly key: string; readonly name: string; readonly ha: number; readonly farbe: string }[]
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
          rows={zeilen.map(({ key, name, ha, farbe }) => {
            const text = t('{n} · {p} %', { n: haText(ha), p: formatNumber(whole > 0 ? Math.round((ha / whole) * 100) : 0) })
            return {
              key: `${id}${key}`,
              name,
              text,
              parts: [
                { key: 'ha', value: ha, farbe, label: `${name}: ${text}`, chosen: chosen.includes(key), onPress: () => onPress(key) },
              ],
            }
          })}
        />
      )}
    </Card>
  )
}
