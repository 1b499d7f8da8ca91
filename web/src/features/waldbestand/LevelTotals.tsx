// What Basis-FE shows of a holding: areas and species by level, narrowed level by level. The database
// provides no single stands here.
import { type ReactNode, useMemo } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { type Choice, type Group, GROUPS, groupOf, fits, levels, chooseLevel } from '#domain/bestand.ts'
import { OnlyBasis } from '../../list/FeModule.tsx'
import { levelKey } from '../../list/cascade-levels.ts'
import { Button } from '../../ui/Button.tsx'
import { BarList, type BarRow } from '../../ui/chart/BarList.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { choiceOf, EMPTY, levelValue } from './bestand-list.tsx'
import { groupColor, groupName, haText } from './waldbestand-words.ts'

interface Unit {
  /** Four levels. */
  readonly l: readonly (string | null)[]
  readonly s: null
  readonly ha: number
  readonly groups: ReadonlyMap<Group, number>
}
function groupSums(parts: Iterable<readonly [Group, number]>): Map<Group, number> {
  const sums = new Map<Group, number>()
  for (const [group, ha] of parts) sums.set(group, (sums.get(group) ?? 0) + ha)
  return sums
}
const unitsOf = ({ summen }: Waldbestand): Unit[] =>
  summen.map(([l, ha, kinds]) => ({
    l,
    s: null,
    ha,
    groups: groupSums(kinds.map(([baumart, part]) => [baumart === null ? 'OHNE' : groupOf(baumart), part])),
  }))

/** Encoded like the list filters. */
const encode = (wert: string): string =>
  wert === '' ? EMPTY : wert.replaceAll('%', '%25').replaceAll(',', '%2C')

export function LevelTotals({ forest, choice }: { forest: Waldbestand; choice: ReactNode }) {
  const view = useView()
  const rows = useMemo(() => unitsOf(forest), [forest])
  const selection = choiceOf(view.search)
  const choose = (next: Choice) =>
    view.setSearch(
      Object.fromEntries(next.map((wert, at) => [levelKey(at), wert === null ? undefined : encode(wert)])),
    )
  const openLevels = levels(rows, selection, forest.ebenen)
  const matching = rows.filter((row) => fits(row, selection))
  const ha = matching.reduce((sum, row) => sum + row.ha, 0)
  const nextLevel = openLevels.find(({ gewaehlt }) => gewaehlt === null)
  // Both charts show areas: a hectare is as long in one as in the other.
  const areas = [
    ...byGroup(matching).map(([, part]) => part),
    ...(nextLevel?.werte ?? []).map((one) => one.ha),
  ]
  const scale = Math.max(1, ...areas)
  return (
    <Page
      subtitle={
        forest.dtFE === null
          ? t('{name}: Summen je Ebene', { name: forest.sHQ })
          : t('{name}: Summen je Ebene, Forsteinrichtung vom {tag}', {
              name: forest.sHQ,
              tag: formatDate(forest.dtFE),
            })
      }
    >
      {choice}
      <div className="stack">
        <OnlyBasis hq={forest} />
        <Card>
          {openLevels.length > 0 && <LevelFields offen={openLevels} auswahl={selection} onChoose={choose} />}
          <dl className="wald-zahlen" aria-live="polite">
            <div>
              <dt>{t('Fläche')}</dt>
              <dd className="nums">{haText(ha)}</dd>
            </div>
          </dl>
        </Card>
        <div className="wald-bilder">
          <Card title={t('Fläche nach Baumart')}>
            <BarList label={t('Fläche nach Baumart')} scale={scale} rows={speciesRows(matching, ha)} />
          </Card>
          {nextLevel !== undefined && (
            <NextLevel
              level={nextLevel}
              rows={matching}
              scale={scale}
              onPick={(wert) => choose(chooseLevel(selection, nextLevel.ebene, wert))}
            />
          )}
        </div>
      </div>
    </Page>
  )
}

type Level = ReturnType<typeof levels<Unit>>[number]
interface LevelProps {
  offen: readonly Level[]
  auswahl: Choice
  onChoose: (next: Choice) => void
}
/** The levels of the address, each narrowed by the ones before it. */
const LevelFields = ({ offen, auswahl, onChoose }: LevelProps) => (
  <fieldset className="wald-ebenen" aria-label={t('Forstliche Adresse')}>
    {offen.map((level) => (
      <SelectField
        key={level.ebene}
        label={level.name}
        emptyOption={t('alle')}
        value={level.gewaehlt === null ? '' : level.gewaehlt === '' ? EMPTY : level.gewaehlt}
        options={level.werte.map((one) => ({
          value: one.wert === '' ? EMPTY : one.wert,
          label: t('{wert} · {ha}', { wert: levelValue(one.wert, level), ha: haText(one.ha) }),
        }))}
        onChange={({ target: { value } }) =>
          onChoose(chooseLevel(auswahl, level.ebene, value === '' ? null : value === EMPTY ? '' : value))
        }
      />
    ))}
    {auswahl.some((wert) => wert !== null) && (
      <Button variant="quiet" icon="close" onClick={() => onChoose(chooseLevel(auswahl, 0, null))}>
        {t('Ganzer Betrieb')}
      </Button>
    )}
  </fieldset>
)

interface NextProps {
  level: Level
  rows: readonly Unit[]
  scale: number
  onPick: (wert: string) => void
}
const NextLevel = ({ level, rows, scale, onPick }: NextProps) => (
  <Card title={t('Fläche nach {ebene}', { ebene: level.name })}>
    <BarList
      label={t('Fläche nach {ebene}', { ebene: level.name })}
      scale={scale}
      rows={level.werte.map(({ wert, ha: part }) => {
        const name = levelValue(wert, level)
        return {
          key: wert,
          name,
          text: haText(part),
          parts: pieces(
            rows.filter(({ l }) => (l[level.ebene] ?? '') === wert),
            name,
            () => onPick(wert),
          ),
        }
      })}
    />
  </Card>
)

const byGroup = (rows: readonly Unit[]): readonly (readonly [Group, number])[] => {
  const sums = groupSums(rows.flatMap(({ groups }) => [...groups]))
  return GROUPS.flatMap((group) => (sums.has(group) ? [[group, sums.get(group)!] as const] : []))
}
const share = (part: number, whole: number): string =>
  t('{n} · {p} %', { n: haText(part), p: formatNumber(whole > 0 ? Math.round((part / whole) * 100) : 0) })

const speciesRows = (rows: readonly Unit[], whole: number): BarRow[] =>
  byGroup(rows).map(([group, ha]) => {
    const name = groupName(group)
    const text = share(ha, whole)
    const part = {
      key: 'ha',
      value: ha,
      farbe: groupColor(group),
      label: `${name}: ${text}`,
      fixed: true as const,
    }
    return { key: group, name, text, parts: [part] }
  })

/** The species of a unit as bar segments; clicking any of them narrows to the unit. */
const pieces = (rows: readonly Unit[], name: string, onPress: () => void): BarRow['parts'] => {
  const whole = rows.reduce((sum, { ha }) => sum + ha, 0)
  return byGroup(rows).map(([group, ha]) => ({
    key: group,
    value: ha,
    farbe: groupColor(group),
    label: t('{name}, {art}: {anteil}', { name, art: groupName(group), anteil: share(ha, whole) }),
    chosen: false,
    onPress,
  }))
}
