// /waldbestand/import: the stands of a holding from a file. Holding and import are in the address, so that
// returning or reloading continues where the work is.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type BestandImport,
  FE_MOST_BYTES,
  type FeLayerChoice,
  type FePreview,
  type FeValues,
} from '#contract/bestand-import.ts'
import { addressText } from '#domain/bestand.ts'
import { FE_TABLES, type FeFault, feFieldsOf, feMappingOf, isFeTable } from '#domain/bestand-import.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { ImportFileDrop } from '../../record/import/ImportFileDrop.tsx'
import { RowFaultTable, valueText } from '../../record/import/RowFaultTable.tsx'
import { ImportFrame, useAction } from '../../record/import/ImportFrame.tsx'
import { ApplyImport, ToCheck } from '../../record/import/ImportActions.tsx'
import { reasonText } from '../../record/import/import-faults.ts'
import { SystemPicker } from '../../record/import/LayerFields.tsx'
import { ColumnMapping } from '../../record/import/ColumnMapping.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Card, Facts, fact, Notice } from '../../ui/Display.tsx'
import { Checkbox, FieldGrid, SelectField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { Actions, Stack } from '../../ui/Page.tsx'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { checkPlan, dropPlan, fetchPlan, startPlan, uploadPlan } from './bestand-import.data.ts'
import { feFaultText, feFieldName, feTableName } from './import-words.ts'
import './waldbestand.css'
import { BETRIEB_FILTER } from '../../list/betrieb.data.ts'

export function BestandImportPage() {
  const { search } = useView()
  const id = /^\d{1,15}$/.test(search['import'] ?? '') ? Number(search['import']) : null
  return id === null ? <StoredFile /> : <Run key={id} id={id} />
}

const linkTo = (hq: number) => (
  <ButtonLink href={`/waldbestand/index?fb=${hq}`}>{t('Zum Waldbestand')}</ButtonLink>
)

function StoredFile() {
  const { search, setSearch } = useView()
  const hq = /^[1-9]\d{0,14}$/.test(search['fb'] ?? '') ? search['fb']! : ''
  const { busy, fehler, act, refuse, cancel } = useAction()
  return (
    <ImportFrame
      schritt="datei"
      subtitle={t('Bestände und Baumarten einer Forsteinrichtung aus einer Datei übernehmen.')}
      fehler={fehler}
    >
      <Card>
        <div className="betrieb-wahl">
          <RecordField
            filter={BETRIEB_FILTER}
            label={t('Forstbetrieb')}
            value={hq}
            apply={(next) => setSearch({ fb: next === '' ? undefined : next }, { replace: true })}
          />
        </div>
        <ImportFileDrop
          formate={t('GeoPackage, GeoJSON oder ein ZIP mit Shapefile und Tabellen (CSV), bis 256 MB')}
          accept=".gpkg,.geojson,.json,.csv,.txt,.zip"
          most={FE_MOST_BYTES}
          busy={busy}
          onFile={(file) => {
            if (hq === '') refuse(t('Bitte wählen Sie zuerst den Forstbetrieb.'))
            else
              void act(
                (signal) => uploadPlan(hq, file, signal),
                ({ id }) => setSearch({ import: String(id) }),
              )
          }}
          onRefused={refuse}
          onCancel={cancel}
        >
          <p>
            {t(
              'Die Bestände sind Flächen mit ihrer Adresse. Die Baumarten stehen in einer zweiten Tabelle mit derselben Adresse, eine Zeile für jede Baumart und Schicht; ohne sie werden nur die Bestände übernommen.',
            )}
          </p>
          <p>
            {t(
              'Die Datei ersetzt die ganze Forsteinrichtung des Betriebs, alles oder nichts: Ist eine Zeile fehlerhaft, bleibt sie, wie sie ist.',
            )}
          </p>
        </ImportFileDrop>
      </Card>
    </ImportFrame>
  )
}

function Run({ id }: { id: number }) {
  const { setSearch } = useView()
  const client = useQueryClient()
  const key = ['waldbestand', 'import', id]
  const run = useQuery({ queryKey: key, queryFn: ({ signal }) => fetchPlan(id, signal) })
  const other = (hq?: number): void =>
    setSearch({ import: undefined, ...(hq === undefined ? {} : { fb: String(hq) }) })
  if (run.data === undefined)
    return (
      <ImportFrame schritt="zuordnung" subtitle={t('Forsteinrichtung importieren')}>
        {run.isError ? (
          <ErrorState
            error={run.error}
            onRetry={() => void run.refetch()}
            action={<Button onClick={() => other()}>{t('Andere Datei')}</Button>}
          />
        ) : (
          <Skeleton lines={6} />
        )}
      </ImportFrame>
    )
  const datei = run.data
  if (datei.stand === 'fertig')
    return (
      <ImportFrame
        schritt="ergebnis"
        subtitle={`${datei.sHQ}: ${datei.dateiname}`}
        actions={linkTo(datei.idHQ)}
      >
        <Result datei={datei} onAgain={() => other(datei.idHQ)} />
      </ImportFrame>
    )
  return (
    <Preparation
      datei={datei}
      onDone={(made) => {
        client.setQueryData(key, made)
        void client.invalidateQueries({ queryKey: ['waldbestand', String(made.idHQ)] })
      }}
      onOther={() =>
        void dropPlan(id).then(
          () => other(datei.idHQ),
          () => other(datei.idHQ),
        )
      }
    />
  )
}

type ImportChoice = Partial<FeLayerChoice> & { name: string }
/** Suggestions from the file; earlier choices take precedence. */
const firstLayers = ({ werte, schichten }: BestandImport): ImportChoice[] =>
  schichten.map(({ name, epsg, vorschlag }) => {
    const before = werte?.schichten.find((one) => one.name === name)
    if (before !== undefined) return before
    return {
      name,
      ...(vorschlag.tabelle === null ? {} : { tabelle: vorschlag.tabelle }),
      ...(epsg === null ? {} : { epsg }),
      felder: vorschlag.felder,
    }
  })
function fieldValuesOf(
  schichten: readonly ImportChoice[],
  stichtag: string | null,
  uebernehmen: boolean,
): FeValues | null {
  const whole: FeLayerChoice[] = []
  for (const { name, tabelle, epsg, felder = {} } of schichten) {
    if (tabelle === undefined) continue
    if (tabelle === 'bestand' && (epsg === undefined || epsg === null)) return null
    whole.push({ name, tabelle, epsg: tabelle === 'bestand' ? (epsg ?? null) : null, felder })
  }
  return whole.some(({ tabelle }) => tabelle === 'bestand')
    ? { schichten: whole, stichtag, uebernehmen }
    : null
}

function Preparation({
  datei,
  onDone,
  onOther,
}: {
  datei: BestandImport
  onDone: (made: BestandImport) => void
  onOther: () => void
}) {
  const [schichten, setLayers] = useState(() => firstLayers(datei))
  const [tag, setDay] = useState(() => (datei.werte?.stichtag ? formatDate(datei.werte.stichtag) : ''))
  const [uebernehmen, setTakeOver] = useState(datei.werte?.uebernehmen ?? true)
  const [vorschau, setPreview] = useState<FePreview | null>(null)
  const { busy, fehler, act } = useAction()
  const day = tag.trim() === '' ? null : parseDay(tag)
  const wrongDay = tag.trim() !== '' && day === null
  const werte = fieldValuesOf(schichten, day, uebernehmen)
  const change = (at: number, next: ImportChoice) =>
    setLayers(schichten.map((one, nr) => (nr === at ? next : one)))
  return (
    <ImportFrame
      schritt={vorschau === null ? 'zuordnung' : 'pruefung'}
      subtitle={`${datei.sHQ}: ${datei.dateiname}`}
      actions={linkTo(datei.idHQ)}
      fehler={fehler}
    >
      {datei.bericht?.grund !== undefined && vorschau === null && <Result datei={datei} />}
      {vorschau === null ? (
        <Stack>
          {datei.schichten.map((schicht, at) => (
            <LayerCard
              key={schicht.name}
              datei={datei}
              at={at}
              chosen={schichten[at]!}
              onChange={(next) => change(at, next)}
            />
          ))}
          <Card title={t('Stichtag und Betrieb')}>
            <FieldGrid>
              <DateField
                label={t('Stichtag der Forsteinrichtung')}
                value={tag}
                error={wrongDay ? dayExpected() : undefined}
                hint={t(
                  'Für Bestände, bei denen die Datei keinen nennt. Alter und Vorrat gelten für diesen Tag.',
                )}
                onChange={({ target }) => setDay(target.value)}
              />
            </FieldGrid>
            <Checkbox
              label={t('Stichtag und Holzbodenfläche in die Stammdaten des Forstbetriebs übernehmen')}
              checked={uebernehmen}
              onChange={({ target }) => setTakeOver(target.checked)}
            />
            {werte === null && (
              <Notice tone="warning" title={t('Es fehlt noch etwas')}>
                {t('Bitte wählen Sie, welche Schicht die Bestände enthält, und ihr Koordinatensystem.')}
              </Notice>
            )}
            <ToCheck
              busy={busy}
              ready={werte !== null && !wrongDay}
              onNext={() => werte && void act(() => checkPlan(datei.id, werte), setPreview)}
              onBack={onOther}
            />
          </Card>
        </Stack>
      ) : (
        <Preview
          datei={datei}
          vorschau={vorschau}
          busy={busy}
          onBack={() => setPreview(null)}
          onStart={() =>
            werte &&
            void act(
              () => startPlan(datei.id, werte),
              (made) => {
                setPreview(null)
                onDone(made)
              },
            )
          }
        />
      )}
    </ImportFrame>
  )
}

function LayerCard({
  datei,
  at,
  chosen,
  onChange,
}: {
  datei: BestandImport
  at: number
  chosen: ImportChoice
  onChange: (next: ImportChoice) => void
}) {
  const schicht = datei.schichten[at]!
  const { tabelle, epsg, felder = {} } = chosen
  const kinds = FE_TABLES.filter(
    (one) => one === 'baumarten' || schicht.geometrie === 'flaeche' || schicht.geometrie === null,
  )
  const ort = schicht.ort === null ? [] : Object.values(schicht.ort).filter((name) => name !== '')
  return (
    <Card title={schicht.name}>
      <p className="soft">
        {schicht.geometrie === 'flaeche'
          ? t('{n} Flächen', { n: formatNumber(schicht.anzahl) })
          : t('{n} Zeilen', { n: formatNumber(schicht.anzahl) })}
      </p>
      <FieldGrid>
        <SelectField
          label={t('Enthält ({schicht})', { schicht: schicht.name })}
          emptyOption={t('– nicht übernehmen –')}
          options={kinds.map((one) => ({ value: one, label: feTableName(one) }))}
          value={tabelle ?? ''}
          onChange={({ target }) => {
            const { tabelle: _before, ...rest } = chosen
            const spalten = schicht.spalten.map(({ name }) => name).filter((name) => !ort.includes(name))
            onChange(
              isFeTable(target.value)
                ? { ...rest, tabelle: target.value, felder: feMappingOf(target.value, spalten, datei.ebenen) }
                : rest,
            )
          }}
        />
        {tabelle === 'bestand' && (
          <SystemPicker
            schicht={schicht}
            value={epsg}
            onChange={(next) => onChange({ ...chosen, epsg: next })}
          />
        )}
      </FieldGrid>
      {tabelle !== undefined && (
        <ColumnMapping
          schicht={schicht.name}
          spalten={schicht.spalten.filter(({ name }) => !ort.includes(name))}
          felder={felder}
          options={feFieldsOf(tabelle, datei.ebenen).map(({ name }) => ({
            value: name,
            label: feFieldName(name, datei.ebenen),
          }))}
          onChange={(next) => onChange({ ...chosen, felder: next })}
        />
      )}
    </Card>
  )
}

interface PreviewProps {
  datei: BestandImport
  vorschau: FePreview
  busy: boolean
  onBack: () => void
  onStart: () => void
}
function Preview({ datei, vorschau, busy, onBack, onStart }: PreviewProps) {
  const { schichten, fehlerzahl, fehler } = vorschau
  const sum = (tabelle: string) =>
    schichten.reduce((all, one) => all + (one.tabelle === tabelle ? one.gut : 0), 0)
  return (
    <Stack>
      <Card title={fehlerzahl === 0 ? t('Alle Zeilen sind in Ordnung') : t('Zeilen mit Fehlern')}>
        {fehlerzahl > 0 ? (
          <>
            <Notice tone="danger" title={t('{n} Fehler', { n: formatNumber(fehlerzahl) })}>
              {t(
                'Übernommen wird alles oder nichts. Ändern Sie die Zuordnung, oder berichtigen Sie die Datei und laden Sie sie noch einmal hoch.',
              )}
            </Notice>
            <FaultTable fehler={fehler} ebenen={datei.ebenen} />
          </>
        ) : (
          <>
            <p>
              {t('{n} Bestände und {m} Baumarten werden übernommen.', {
                n: formatNumber(sum('bestand')),
                m: formatNumber(sum('baumarten')),
              })}
            </p>
            {datei.vorhanden > 0 && (
              <Notice tone="warning">
                {t('Sie ersetzen die {n} Bestände, die {name} jetzt hat.', {
                  n: formatNumber(datei.vorhanden),
                  name: datei.sHQ,
                })}
              </Notice>
            )}
          </>
        )}
        <ApplyImport
          busy={busy}
          ready={fehlerzahl === 0 && sum('bestand') > 0}
          onNext={onStart}
          onBack={onBack}
        />
      </Card>
      {schichten.map(({ name, tabelle, anzahl, gut, zeilen }) => {
        const shown = feFieldsOf(tabelle, datei.ebenen).filter(
          (feld) =>
            !/^(?:sLVL|iSTAND)/.test(feld.name) && zeilen.some(({ werte }) => werte[feld.name] !== undefined),
        )
        return (
          <Card key={name} title={`${name}: ${feTableName(tabelle)}`} flush>
            <DataTable
              caption={t('Die ersten Zeilen von {schicht}; {gut} von {anzahl} sind in Ordnung', {
                schicht: name,
                gut: formatNumber(gut),
                anzahl: formatNumber(anzahl),
              })}
              columns={[
                { key: 'nr', title: t('Nr.'), cell: ({ nr }) => formatNumber(nr) },
                {
                  key: 'adresse',
                  title: t('Bestand'),
                  cell: ({ adresse }) => addressText(adresse, datei.ebenen),
                },
                ...shown.map(({ name: feld, art }) => ({
                  key: `feld-${feld}`,
                  title: feFieldName(feld, datei.ebenen),
                  align: art === 'zahl' || art === 'ganz' ? ('end' as const) : ('start' as const),
                  cell: ({ werte }: (typeof zeilen)[number]) => valueText(werte[feld], art === 'tag'),
                })),
              ]}
              rows={zeilen}
              rowKey={({ nr }) => nr}
              empty={<p className="soft">{t('Keine Zeile dieser Schicht ist in Ordnung.')}</p>}
            />
          </Card>
        )
      })}
    </Stack>
  )
}
const FaultTable = ({ fehler, ebenen }: { fehler: readonly FeFault[]; ebenen: readonly string[] }) => (
  <RowFaultTable
    caption={t('Fehler der Zeilen')}
    zeile={t('Zeile')}
    fehler={fehler.map((one) => ({
      ort: t('{schicht}, Nr. {nr}', { schicht: one.schicht, nr: formatNumber(one.nr) }),
      feld: feFieldName(one.feld, ebenen),
      text: feFaultText(one),
    }))}
  />
)

function Result({ datei, onAgain }: { datei: BestandImport; onAgain?: () => void }) {
  const { bericht } = datei
  if (bericht?.grund !== undefined)
    return (
      <Card title={t('Der Import wurde nicht abgeschlossen')}>
        <Notice tone="danger">{reasonText(bericht.grund)}</Notice>
        {bericht.fehler !== undefined && bericht.fehler.length > 0 && (
          <FaultTable fehler={bericht.fehler} ebenen={datei.ebenen} />
        )}
      </Card>
    )
  return (
    <Card title={t('Der Import ist fertig')}>
      <Facts
        facts={[
          fact(t('Bestände'), formatNumber(bericht?.bestaende ?? 0)),
          fact(t('Baumarten'), formatNumber(bericht?.baumarten ?? 0)),
          fact(t('Ersetzt'), formatNumber(bericht?.entfernt ?? 0)),
          ...((bericht?.bereinigt ?? 0) > 0
            ? [
                fact(
                  t('Bereinigt'),
                  t('{n} Flächen, deren Umriss sich selbst kreuzte', {
                    n: formatNumber(bericht?.bereinigt ?? 0),
                  }),
                ),
              ]
            : []),
        ]}
      />
      <Actions>
        <ButtonLink href={`/waldbestand/index?fb=${datei.idHQ}`} variant="primary">
          {t('Waldbestand ansehen')}
        </ButtonLink>
        {onAgain !== undefined && <Button onClick={onAgain}>{t('Weitere Datei')}</Button>}
      </Actions>
    </Card>
  )
}
