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
  for (const [gruppe, ha] of parts) sums.set(gruppe, (sums.get(gruppe) ?? 0) + ha)
  return sums
}
const unitsOf = ({ summen }: Waldbestand): Unit[] =>
  summen.map(([l, ha, arten]) => ({
    l,
    s: null,
    ha,
    groups: groupSums(arten.map(([baumart, part]) => [baumart === null ? 'OHNE' : groupOf(baumart), part])),
  }))

/** Encoded like the list filters. */
const encode = (wert: string): string =>
  wert === '' ? EMPTY : wert.replaceAll('%', '%25').replaceAll(',', '%2C')

export function LevelTotals({ forest, choice }: { forest: Waldbestand; choice: ReactNode }) {
  const view = useView()
  const rows = useMemo(() => unitsOf(forest), [forest])
  const auswahl = choiceOf(view.search)
  const choose = (next: Choice) =>
    view.setSearch(
      Object.fromEntries(next.map((wert, at) => [levelKey(at), wert === null ? undefined : encode(wert)])),
    )
  const offen = levels(rows, auswahl, forest.ebenen)
  const matching = rows.filter((row) => fits(row, auswahl))
  const ha = matching.reduce((sum, row) => sum + row.ha, 0)
  const naechste = offen.find(({ gewaehlt }) => gewaehlt === null)
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
          {offen.length > 0 && (
            <fieldset className="wald-ebenen" aria-label={t('Forstliche Adresse')}>
              {offen.map((stufe) => (
                <SelectField
                  key={stufe.ebene}
                  label={stufe.name}
                  emptyOption={t('alle')}
                  value={stufe.gewaehlt === null ? '' : stufe.gewaehlt === '' ? EMPTY : stufe.gewaehlt}
                  options={stufe.werte.map((one) => ({
                    value: one.wert === '' ? EMPTY : one.wert,
                    label: t('{wert} · {ha}', { wert: levelValue(one.wert, stufe), ha: haText(one.ha) }),
                  }))}
                  onChange={({ target: { value } }) =>
                    choose(
                      chooseLevel(auswahl, stufe.ebene, value === '' ? null : value === EMPTY ? '' : value),
                    )
                  }
                />
              ))}
              {auswahl.some((wert) => wert !== null) && (
                <Button variant="quiet" icon="close" onClick={() => choose(chooseLevel(auswahl, 0, null))}>
                  {t('Ganzer Betrieb')}
                </Button>
              )}
            </fieldset>
          )}
          <dl className="wald-zahlen" aria-live="polite">
            <div>
              <dt>{t('Fläche')}</dt>
              <dd className="nums">{haText(ha)}</dd>
            </div>
          </dl>
        </Card>
        <div className="wald-bilder">
          <Card title={t('Fläche nach Baumart')}>
            <BarList label={t('Fläche nach Baumart')} rows={speciesRows(matching, ha)} />
          </Card>
          {naechste !== undefined && (
            <Card title={t('Fläche nach {ebene}', { ebene: naechste.name })}>
              <BarList
                label={t('Fläche nach {ebene}', { ebene: naechste.name })}
                rows={naechste.werte.map(({ wert, ha: part }) => {
                  const name = levelValue(wert, naechste)
                  return {
                    key: wert,
                    name,
                    text: haText(part),
                    parts: pieces(
                      matching.filter(({ l }) => (l[naechste.ebene] ?? '') === wert),
                      name,
                      () => choose(chooseLevel(auswahl, naechste.ebene, wert)),
                    ),
                  }
                })}
              />
            </Card>
          )}
        </div>
      </div>
    </Page>
  )
}

const byGroup = (rows: readonly Unit[]): readonly (readonly [Group, number])[] => {
  const sums = groupSums(rows.flatMap(({ groups }) => [...groups]))
  return GROUPS.flatMap((gruppe) => (sums.has(gruppe) ? [[gruppe, sums.get(gruppe)!] as const] : []))
}
const anteil = (part: number, whole: number): string =>
  t('{n} · {p} %', { n: haText(part), p: formatNumber(whole > 0 ? Math.round((part / whole) * 100) : 0) })

const speciesRows = (rows: readonly Unit[], whole: number): BarRow[] =>
  byGroup(rows).map(([gruppe, ha]) => {
    const name = groupName(gruppe)
    const text = anteil(ha, whole)
    const part = {
      key: 'ha',
      value: ha,
      farbe: groupColor(gruppe),
      label: `${name}: ${text}`,
      fixed: true as const,
    }
    return { key: gruppe, name, text, parts: [part] }
  })

/** The species of a unit as bar segments; clicking any of them narrows to the unit. */
const pieces = (rows: readonly Unit[], name: string, onPress: () => void): BarRow['parts'] => {
  const whole = rows.reduce((sum, { ha }) => sum + ha, 0)
  return byGroup(rows).map(([gruppe, ha]) => ({
    key: gruppe,
    value: ha,
    farbe: groupColor(gruppe),
    label: t('{name}, {art}: {anteil}', { name, art: groupName(gruppe), anteil: anteil(ha, whole) }),
    chosen: false,
    onPress,
  }))
}
