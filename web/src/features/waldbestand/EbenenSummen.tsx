// What Basis-FE shows of a holding: areas and species of its levels, narrowed level by level. There are no single stands here; the database gives none.
import { type ReactNode, useMemo } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { type Auswahl, type Gruppe, GRUPPEN, gruppeOf, passt, stufen, waehle } from '#domain/bestand.ts'
import { NurBasis } from '../../list/FeModul.tsx'
import { ebeneKey } from '../../list/ebenen-stufen.ts'
import { Button } from '../../ui/Button.tsx'
import { BarList, type BarRow } from '../../ui/chart/BarList.tsx'
import { Card } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { auswahlOf, LEER, stufeWert } from './bestand-list.tsx'
import { gruppeFarbe, gruppeName, haText } from './waldbestand-words.ts'

interface Einheit {
  /** Four levels. */
  readonly l: readonly (string | null)[]
  readonly s: null
  readonly ha: number
  readonly gruppen: ReadonlyMap<Gruppe, number>
}
function gruppenSumme(parts: Iterable<readonly [Gruppe, number]>): Map<Gruppe, number> {
  const sums = new Map<Gruppe, number>()
  for (const [gruppe, ha] of parts) sums.set(gruppe, (sums.get(gruppe) ?? 0) + ha)
  return sums
}
const einheitenOf = ({ summen }: Waldbestand): Einheit[] =>
  summen.map(([l, ha, arten]) => ({
    l,
    s: null,
    ha,
    gruppen: gruppenSumme(arten.map(([baumart, part]) => [baumart === null ? 'OHNE' : gruppeOf(baumart), part])),
  }))

/** As the filters of lists write it. */
const encode = (wert: string): string => (wert === '' ? LEER : wert.replaceAll('%', '%25').replaceAll(',', '%2C'))

export function EbenenSummen({ wald, wahl }: { wald: Waldbestand; wahl: ReactNode }) {
  const view = useView()
  const rows = useMemo(() => einheitenOf(wald), [wald])
  const auswahl = auswahlOf(view.search)
  const choose = (next: Auswahl) =>
    view.setSearch(Object.fromEntries(next.map((wert, at) => [ebeneKey(at), wert === null ? undefined : encode(wert)])))
  const offen = stufen(rows, auswahl, wald.ebenen)
  const passend = rows.filter((row) => passt(row, auswahl))
  const ha = passend.reduce((sum, row) => sum + row.ha, 0)
  const naechste = offen.find(({ gewaehlt }) => gewaehlt === null)
  return (
    <Page
      subtitle={
        wald.dtFE === null
          ? t('{name}: Summen je Ebene', { name: wald.sHQ })
          : t('{name}: Summen je Ebene, Forsteinrichtung vom {tag}', { name: wald.sHQ, tag: formatDate(wald.dtFE) })
      }
    >
      {wahl}
      <div className="stack">
        <NurBasis hq={wald} />
        <Card>
          {offen.length > 0 && (
            <fieldset className="wald-ebenen" aria-label={t('Forstliche Adresse')}>
              {offen.map((stufe) => (
                <SelectField
                  key={stufe.ebene}
                  label={stufe.name}
                  emptyOption={t('alle')}
                  value={stufe.gewaehlt === null ? '' : stufe.gewaehlt === '' ? LEER : stufe.gewaehlt}
                  options={stufe.werte.map((one) => ({
                    value: one.wert === '' ? LEER : one.wert,
                    label: t('{wert} · {ha}', { wert: stufeWert(one.wert, stufe), ha: haText(one.ha) }),
                  }))}
                  onChange={({ target: { value } }) =>
                    choose(waehle(auswahl, stufe.ebene, value === '' ? null : value === LEER ? '' : value))
                  }
                />
              ))}
              {auswahl.some((wert) => wert !== null) && (
                <Button variant="quiet" icon="close" onClick={() => choose(waehle(auswahl, 0, null))}>
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
            <BarList label={t('Fläche nach Baumart')} rows={artenRows(passend, ha)} />
          </Card>
          {naechste !== undefined && (
            <Card title={t('Fläche nach {ebene}', { ebene: naechste.name })}>
              <BarList
                label={t('Fläche nach {ebene}', { ebene: naechste.name })}
                rows={naechste.werte.map(({ wert, ha: part }) => {
                  const name = stufeWert(wert, naechste)
                  return {
                    key: wert,
                    name,
                    text: haText(part),
                    parts: teile(
                      passend.filter(({ l }) => (l[naechste.ebene] ?? '') === wert),
                      name,
                      () => choose(waehle(auswahl, naechste.ebene, wert)),
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

const nachGruppe = (rows: readonly Einheit[]): readonly (readonly [Gruppe, number])[] => {
  const sums = gruppenSumme(rows.flatMap(({ gruppen }) => [...gruppen]))
  return GRUPPEN.flatMap((gruppe) => (sums.has(gruppe) ? [[gruppe, sums.get(gruppe)!] as const] : []))
}
const anteil = (part: number, whole: number): string =>
  t('{n} · {p} %', { n: haText(part), p: formatNumber(whole > 0 ? Math.round((part / whole) * 100) : 0) })

const artenRows = (rows: readonly Einheit[], whole: number): BarRow[] =>
  nachGruppe(rows).map(([gruppe, ha]) => {
    const name = gruppeName(gruppe)
    const text = anteil(ha, whole)
    const part = { key: 'ha', value: ha, farbe: gruppeFarbe(gruppe), label: `${name}: ${text}`, fixed: true as const }
    return { key: gruppe, name, text, parts: [part] }
  })

/** The species of a unit, one beside the other; a press on any of them narrows to the unit. */
const teile = (rows: readonly Einheit[], name: string, onPress: () => void): BarRow['parts'] => {
  const whole = rows.reduce((sum, { ha }) => sum + ha, 0)
  return nachGruppe(rows).map(([gruppe, ha]) => ({
    key: gruppe,
    value: ha,
    farbe: gruppeFarbe(gruppe),
    label: t('{name}, {art}: {anteil}', { name, art: gruppeName(gruppe), anteil: anteil(ha, whole) }),
    chosen: false,
    onPress,
  }))
}
