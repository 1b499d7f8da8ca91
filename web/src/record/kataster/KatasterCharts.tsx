// Progress of a survey: surveyed and assumed objects by kind, source and quality, and growth over time. The
// page decides what clicking a bar does.
import { type ReactNode, useId } from 'react'
import type { ObjectKind } from '#contract/kataster-tile.ts'
import type { KatasterOverview } from '#contract/vermessung.ts'
import { BarList, type BarPress, type BarRow } from '../../ui/chart/BarList.tsx'
import { StackedBars } from '../../ui/chart/StackedBars.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { shares, historyOf } from './shares.ts'
import './kataster-charts.css'
import { kindWords, lengthText, valueText } from './kataster-words.ts'

interface Props {
  overview: KatasterOverview
  onKind: (art: ObjectKind, vermessen: 'ja' | 'nein') => BarPress
  onErfq: (name: string) => BarPress
  onQdt: (name: string) => BarPress
}

const percent = (part: number, whole: number): string => `${formatNumber(Math.round((part / whole) * 100))} %`

export function KatasterCharts({ overview, onKind, onErfq, onQdt }: Props) {
  const dropped = overview.objekte.reduce((sum, { ohne }) => sum + ohne, 0)
  const row = (
    table: ObjectKind,
    {
      key,
      name,
      vermessen,
      vermutet,
      text,
    }: Record<'vermessen' | 'vermutet', number> & { key: string; name: string; text: (n: number) => string },
  ): BarRow => {
    const part = (wort: 'ja' | 'nein', value: number, stand: string) => ({
      key: wort,
      value,
      label: t('{name}, {stand}: {n}', { name, stand, n: text(value) }),
      ...onKind(table, wort),
    })
    const all = vermessen + vermutet
    return {
      key,
      name,
      text: all === 0 ? '–' : t('{p} von {n}', { p: percent(vermessen, all), n: text(all) }),
      parts: [part('ja', vermessen, t('vermessen')), part('nein', vermutet, t('vermutet'))],
    }
  }
  return (
    <div className="kataster-bilder">
      <Picture
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
          asShares
          rows={overview.objekte.flatMap(
            ({ tabelle, vermessen, vermutet, laenge_vermessen, laenge_vermutet }) => {
              const counted = row(tabelle, {
                key: tabelle,
                name: kindWords(tabelle).many,
                vermessen,
                vermutet,
                text: formatNumber,
              })
              const lengths = [Number(laenge_vermessen ?? 0), Number(laenge_vermutet ?? 0)] as const
              // Shown both by number and by length: a few long drains may be surveyed and many short ones
              // not.
              if (tabelle !== 'draenage' || lengths[0] + lengths[1] === 0) return [counted]
              const name = t('Dränagen nach Länge')
              return [
                row(tabelle, {
                  key: 'laenge',
                  name,
                  vermessen: lengths[0],
                  vermutet: lengths[1],
                  text: lengthText,
                }),
                counted,
              ]
            },
          )}
        />
      </Picture>
      <Lengths
        title={t('Dränagen nach Erfassungsquelle')}
        zeilen={shares(overview.erfq.map(({ erfq, round }) => ({ name: erfq, laenge: round })))}
        onPress={onErfq}
      />
      <Lengths
        title={t('Dränagen nach Qualität')}
        zeilen={shares(overview.qdt.map(({ qdt, round }) => ({ name: qdt, laenge: round })))}
        onPress={onQdt}
      />
    </div>
  )
}

/** Growth over time; renders nothing for a single point in time. */
export function Growth({ overview }: { overview: KatasterOverview }) {
  const points = historyOf(overview.verlauf)
  if (points.length < 2) return null
  return (
    <Picture title={t('Wie die Dränagen dazukamen')}>
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
            a: lengthText(vermessen),
            b: lengthText(vermutet),
          }),
          values: [vermessen, vermutet],
        }))}
        formatValue={lengthText}
        tableOf={t('Zeit')}
      />
    </Picture>
  )
}

function Picture({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <Card title={title}>
      {children}
      {note && <p className="soft kataster-hinweis">{note}</p>}
    </Card>
  )
}

const MOST = 8

function Lengths({
  title,
  zeilen,
  onPress,
}: {
  title: string
  zeilen: readonly { readonly name: string; readonly laenge: number }[]
  onPress: (name: string) => BarPress
}) {
  const id = useId()
  const shown = zeilen.length > MOST + 1 ? zeilen.slice(0, MOST) : zeilen
  return (
    <Picture
      title={title}
      note={
        shown.length < zeilen.length &&
        t('{n} weitere stehen im Filter der Liste.', { n: zeilen.length - shown.length })
      }
    >
      {zeilen.length === 0 ? (
        <p className="soft">{t('Noch keine Dränagen')}</p>
      ) : (
        <BarList
          label={title}
          rows={shown.map(({ name, laenge }) => ({
            key: `${id}${name}`,
            name: valueText(name),
            text: lengthText(laenge),
            parts: [
              {
                key: 'l',
                value: laenge,
                label: `${valueText(name)}: ${lengthText(laenge)}`,
                ...onPress(name),
              },
            ],
          }))}
        />
      )}
    </Picture>
  )
}
