// /habitatbaeume/import: trees of a holding from a file. The file stays here and goes to the server with each step; what the server has begun to take over it takes without this page.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  HABITAT_DATEI_BAEUME,
  HABITAT_DATEI_BYTES,
  type HabitatDateiLage,
  type HabitatImportErgebnis,
  type HabitatImportWerte,
  type HabitatSchicht,
} from '#contract/habitat-datei.ts'
import { HABITAT_FELDER, habitatZuordnung } from '#domain/habitat/datei.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { BetriebLaden, BetriebWahl, OhneBetrieb } from '../../list/BetriebWahl.tsx'
import { fieldLabel } from '../../record/habitat/habitat-words.ts'
import { DateiAblage } from '../../record/import/DateiAblage.tsx'
import { ImportRahmen, useTat } from '../../record/import/ImportRahmen.tsx'
import { ZurPruefung } from '../../record/import/ImportTaten.tsx'
import { OrtWahl, SystemWahl } from '../../record/import/SchichtFelder.tsx'
import { SpaltenZuordnung } from '../../record/import/SpaltenZuordnung.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card, Facts, fact, Notice } from '../../ui/Display.tsx'
import { FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions, Stack } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { checkDatei, fetchLage, startDatei } from './habitat-import.data.ts'
import { HABITAT_LISTS, useDarf } from './habitat.data.ts'
import { ImportVorschau } from './ImportVorschau.tsx'

export const HabitatImportPage = () => (
  <BetriebWahl keys={[]} frage={t('Zu welchem Forstbetrieb gehören die Bäume?')}>
    {(id, wahl) => (
      <BetriebLaden key={id} id={id} wahl={wahl}>
        {(betrieb) => <Erlaubt betrieb={betrieb} wahl={wahl} />}
      </BetriebLaden>
    )}
  </BetriebWahl>
)

function Erlaubt({ betrieb, wahl }: { betrieb: Betrieb; wahl: ReactNode }) {
  if (useDarf(betrieb.idHQ).aendern) return <Lauf betrieb={betrieb} wahl={wahl} />
  return (
    <OhneBetrieb wahl={wahl}>
      <EmptyState icon="lock" title={t('Hier können Sie keine Bäume importieren')}>
        {t('Bäume importieren die Personen des Forstbetriebs, sobald er freigeschaltet ist, und die Verwaltung.')}
      </EmptyState>
    </OhneBetrieb>
  )
}

interface Datei {
  readonly file: File
  readonly lage: HabitatDateiLage
}
type Wahl = Omit<HabitatImportWerte, 'epsg'> & { readonly epsg: number | null }
const firstWahl = ({ name, epsg, vorschlag, ort }: HabitatSchicht): Wahl => ({
  schicht: name,
  epsg,
  felder: vorschlag,
  ...(ort !== null && { ort }),
})
/** Null while something is missing. */
function werteOf({ epsg, ort, ...wahl }: Wahl): HabitatImportWerte | null {
  const placed = ort === undefined || ort.wkt !== '' || (ort.x !== '' && ort.y !== '' && ort.x !== ort.y)
  return epsg === null || wahl.felder.art === undefined || !placed ? null : { ...wahl, epsg, ...(ort !== undefined && { ort }) }
}

function Lauf({ betrieb, wahl }: { betrieb: Betrieb; wahl: ReactNode }) {
  const client = useQueryClient()
  const hq = String(betrieb.idHQ)
  const { busy, fehler, tun, melden, abbrechen } = useTat()
  const [datei, setDatei] = useState<Datei | null>(null)
  const [chosen, setChosen] = useState<Wahl | null>(null)
  const [vorschau, setVorschau] = useState<HabitatImportErgebnis | null>(null)
  const [fertig, setFertig] = useState<HabitatImportErgebnis | null>(null)
  const actions = <ButtonLink href={`/habitatbaeume/index?fb=${hq}`}>{t('Zu den Habitatbäumen')}</ButtonLink>
  const again = () => {
    setDatei(null)
    setVorschau(null)
    setFertig(null)
    melden(null)
  }
  if (datei === null || chosen === null)
    return (
      <ImportRahmen
        schritt="datei"
        subtitle={t('{name}: Habitatbäume aus einer Datei übernehmen', { name: betrieb.sHQ })}
        actions={actions}
        fehler={fehler}
      >
        <Card>
          {wahl}
          <DateiAblage
            formate={t('GeoPackage, GeoJSON, Excel (XLSX), CSV oder ein ZIP mit Shapefile, bis {mb} MB und {n} Bäume', {
              mb: HABITAT_DATEI_BYTES / 1_048_576,
              n: formatNumber(HABITAT_DATEI_BAEUME),
            })}
            accept=".gpkg,.geojson,.json,.xlsx,.csv,.txt,.zip"
            most={HABITAT_DATEI_BYTES}
            busy={busy}
            onFile={(file) =>
              void tun(
                (signal) => fetchLage(hq, file, signal),
                (lage) => {
                  setDatei({ file, lage })
                  setChosen(firstWahl(lage.schichten[0]!))
                },
              )
            }
            onAbgelehnt={melden}
            onCancel={abbrechen}
          >
            <p>
              {t(
                'Jede Zeile ist ein Baum. Lage und Baumart müssen da sein, alles andere lässt sich nachtragen. In einer Tabelle steht die Lage in zwei Spalten.',
              )}
            </p>
            <p>
              {t(
                'Bäume mit einer Kennung, wie sie unser Export mitgibt, werden geändert, alle anderen neu angelegt. Dieselbe Datei ein zweites Mal ändert nichts.',
              )}
            </p>
          </DateiAblage>
        </Card>
      </ImportRahmen>
    )
  const { file, lage } = datei
  const subtitle = `${betrieb.sHQ}: ${file.name}`
  if (fertig !== null)
    return (
      <ImportRahmen schritt="ergebnis" subtitle={subtitle} actions={actions}>
        <Fertig ergebnis={fertig} hq={hq} onAgain={again} />
      </ImportRahmen>
    )
  const werte = werteOf(chosen)
  if (vorschau !== null && werte !== null)
    return (
      <ImportRahmen schritt="pruefung" subtitle={subtitle} actions={actions} fehler={fehler}>
        <ImportVorschau
          betrieb={betrieb}
          ergebnis={vorschau}
          busy={busy}
          onBack={() => setVorschau(null)}
          onStart={() =>
            void tun(
              () => startDatei(hq, file, werte),
              (made) => {
                // Somebody else may have changed a tree since the look.
                if (made.importiert) setFertig(made)
                else setVorschau(made)
                void client.invalidateQueries({ queryKey: HABITAT_LISTS })
              },
            )
          }
        />
      </ImportRahmen>
    )
  return (
    <ImportRahmen schritt="zuordnung" subtitle={subtitle} actions={actions} fehler={fehler}>
      <Zuordnung
        betrieb={betrieb}
        lage={lage}
        chosen={chosen}
        onChange={setChosen}
        whole={werte !== null}
        busy={busy}
        onNext={() => werte && void tun((signal) => checkDatei(hq, file, werte, signal), setVorschau)}
        onOther={again}
      />
    </ImportRahmen>
  )
}

interface ZuordnungProps {
  betrieb: Betrieb
  lage: HabitatDateiLage
  chosen: Wahl
  onChange: (wahl: Wahl) => void
  whole: boolean
  busy: boolean
  onNext: () => void
  onOther: () => void
}
function Zuordnung({ betrieb, lage, chosen, onChange, whole, busy, onNext, onOther }: ZuordnungProps) {
  const schicht = lage.schichten.find(({ name }) => name === chosen.schicht)!
  const columns = schicht.spalten.map(({ name }) => name)
  const placed = Object.values(chosen.ort ?? {})
  return (
    <Card title={schicht.name}>
      <p className="soft">{t('{n} Zeilen', { n: formatNumber(schicht.anzahl) })}</p>
      <FieldGrid>
        {lage.schichten.length > 1 && (
          <SelectField
            label={t('Schicht mit den Bäumen')}
            options={lage.schichten.map(({ name }) => ({ value: name, label: name }))}
            value={chosen.schicht}
            onChange={({ target }) => onChange(firstWahl(lage.schichten.find(({ name }) => name === target.value)!))}
          />
        )}
        <SystemWahl schicht={schicht} value={chosen.epsg} onChange={(epsg) => onChange({ ...chosen, epsg })} />
        {chosen.ort !== undefined && (
          <OrtWahl
            spalten={columns}
            ort={chosen.ort}
            schicht={schicht.name}
            onChange={(ort) => {
              const left = columns.filter((name) => !Object.values(ort).includes(name))
              const kept = Object.entries(chosen.felder).filter(([, column]) => left.includes(column))
              onChange({ ...chosen, ort, felder: kept.length > 0 ? Object.fromEntries(kept) : habitatZuordnung(left) })
            }}
          />
        )}
      </FieldGrid>
      <SpaltenZuordnung
        schicht={schicht.name}
        spalten={schicht.spalten.filter(({ name }) => !placed.includes(name))}
        felder={chosen.felder as Readonly<Record<string, string>>}
        options={HABITAT_FELDER.map(({ name }) => ({
          value: name,
          label: name === 'kennung' ? t('Kennung (aus unserem Export)') : fieldLabel(name, betrieb.ebenen),
        }))}
        onChange={(felder) => onChange({ ...chosen, felder })}
      />
      {!whole && (
        <Notice tone="warning" title={t('Es fehlt noch etwas')}>
          {t('Bitte wählen Sie das Koordinatensystem, die Spalte mit der Baumart und bei Tabellen die Spalten mit der Lage.')}
        </Notice>
      )}
      <ZurPruefung busy={busy} ready={whole} onNext={onNext} onBack={onOther} />
    </Card>
  )
}

function Fertig({ ergebnis, hq, onAgain }: { ergebnis: HabitatImportErgebnis; hq: string; onAgain: () => void }) {
  return (
    <Card title={t('Der Import ist fertig')}>
      <Stack>
        <Facts
          facts={[
            fact(t('Neu angelegt'), formatNumber(ergebnis.neu)),
            fact(t('Geändert'), formatNumber(ergebnis.geaendert)),
            fact(t('Unverändert'), formatNumber(ergebnis.unveraendert)),
          ]}
        />
        <Actions>
          <ButtonLink href={`/habitatbaeume/index?fb=${hq}&ansicht=karte`} variant="primary">
            {t('Habitatbäume ansehen')}
          </ButtonLink>
          <Button onClick={onAgain}>{t('Weitere Datei')}</Button>
        </Actions>
      </Stack>
    </Card>
  )
}
