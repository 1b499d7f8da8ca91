// How far the survey has come: what is surveyed and what is assumed, by kind, source and quality, and how it grew. A press on a bar narrows map and list.
import { type ReactNode, useId } from 'react'
import type { Objektart } from '#contract/kataster-kachel.ts'
import type { KatasterUebersicht } from '#contract/vermessung.ts'
import { BarList } from '../../ui/chart/BarList.tsx'
import { StackedBars } from '../../ui/chart/StackedBars.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { artWords } from './kataster-words.ts'
import { anteile, verlauf } from './rechnen.ts'

export interface Auswahl {
  readonly art: Objektart
  readonly vermessen: readonly string[]
  readonly erfq: readonly string[]
  readonly qdt: readonly string[]
}
interface Props {
  uebersicht: KatasterUebersicht
  auswahl: Auswahl
  /** Presses again take it back. */
  onArt: (art: Objektart, vermessen: 'ja' | 'nein') => void
  onErfq: (name: string) => void
  onQdt: (name: string) => void
}

export const laengeText = (metres: number): string =>
  metres >= 1000 ? t('{n} km', { n: formatNumber(metres / 1000, 1) }) : t('{n} m', { n: formatNumber(Math.round(metres)) })
const percent = (part: number, whole: number): string => `${formatNumber(Math.round((part / whole) * 100))} %`

export function Uebersicht({ uebersicht, auswahl, onArt, onErfq, onQdt }: Props) {
  const dropped = uebersicht.objekte.reduce((sum, { ohne }) => sum + ohne, 0)
  return (
    <div className="kataster-bilder">
      <Bild
        title={t('Vermessen und vermutet')}
        note={
          dropped > 0 &&
          (dropped === 1
            ? t('1 Objekt ohne Angabe ist nicht mitgezählt.')
            : t('{n} Objekte ohne Angabe sind nicht mitgezählt.', { n: formatNumber(dropped) }))
        }
      >
        <BarList
          label={t('Objekte nach Art, vermessen und vermutet')}
          series={[t('vermessen'), t('vermutet')]}
          anteilig
          rows={uebersicht.objekte.map(({ tabelle, vermessen, vermutet }) => {
            const name = artWords(tabelle).many
            const part = (key: 'ja' | 'nein', value: number, text: string) => ({
              key,
              value,
              label: t('{name}, {stand}: {n}', { name, stand: text, n: formatNumber(value) }),
              chosen: auswahl.art === tabelle && auswahl.vermessen.length === 1 && auswahl.vermessen[0] === key,
              onPress: () => onArt(tabelle, key),
            })
            return {
              key: tabelle,
              name,
              text:
                vermessen + vermutet === 0
                  ? '–'
                  : t('{p} von {n}', { p: percent(vermessen, vermessen + vermutet), n: formatNumber(vermessen + vermutet) }),
              parts: [part('ja', vermessen, t('vermessen')), part('nein', vermutet, t('vermutet'))],
            }
          })}
        />
      </Bild>
      <Laengen
        title={t('Dränagen nach Erfassungsquelle')}
        zeilen={anteile(uebersicht.erfq.map(({ erfq, round }) => ({ name: erfq, laenge: round })))}
        chosen={auswahl.erfq}
        onPress={onErfq}
      />
      <Laengen
        title={t('Dränagen nach Qualität')}
        zeilen={anteile(uebersicht.qdt.map(({ qdt, round }) => ({ name: qdt, laenge: round })))}
        chosen={auswahl.qdt}
        onPress={onQdt}
      />
    </div>
  )
}

/** How it grew; nothing where there is but one point in time. */
export function Wachstum({ uebersicht }: { uebersicht: KatasterUebersicht }) {
  const points = verlauf(uebersicht.verlauf)
  if (points.length < 2) return null
  return (
    <Bild title={t('Wie die Dränagen dazukamen')}>
      <StackedBars
        label={t('Länge der Dränagen am Ende jedes Abschnitts, vermessen und vermutet')}
        series={[
          { key: 'vermessen', name: t('vermessen') },
          { key: 'vermutet', name: t('vermutet') },
        ]}
        bars={points.map(({ zeit, vermessen, vermutet }) => ({
          key: zeit,
          label: zeit.length === 4 ? zeit : `${zeit.slice(5)}/${zeit.slice(2, 4)}`,
          title: t('{zeit}: {a} vermessen, {b} vermutet', {
            zeit: zeit.length === 4 ? zeit : `${zeit.slice(5)}.${zeit.slice(0, 4)}`,
            a: laengeText(vermessen),
            b: laengeText(vermutet),
          }),
          values: [vermessen, vermutet],
        }))}
        formatValue={laengeText}
      />
    </Bild>
  )
}

function Bild({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Card title={title}>
      {children}
      {note && <p className="soft kataster-hinweis">{note}</p>}
    </Card>
  )
}

const MOST = 8

function Laengen({
  title,
  zeilen,
  chosen,
  onPress,
}: {
  title: string
  zeilen: readonly { readonly name: string; readonly laenge: number }[]
  chosen: readonly string[]
  onPress: (name: string) => void
}) {
  const id = useId()
  const shown = zeilen.length > MOST + 1 ? zeilen.slice(0, MOST) : zeilen
  return (
    <Bild
      title={title}
      note={shown.length < zeilen.length && t('{n} weitere stehen im Filter der Liste.', { n: zeilen.length - shown.length })}
    >
      {zeilen.length === 0 ? (
        <p className="soft">{t('Noch keine Dränagen')}</p>
      ) : (
        <BarList
          label={title}
          rows={shown.map(({ name, laenge }) => ({
            key: `${id}${name}`,
            name,
            text: laengeText(laenge),
            parts: [
              {
                key: 'l',
                value: laenge,
                label: `${name}: ${laengeText(laenge)}`,
                chosen: chosen.includes(name),
                onPress: () => onPress(name),
              },
            ],
          }))}
        />
      )}
    </Bild>
  )
}
