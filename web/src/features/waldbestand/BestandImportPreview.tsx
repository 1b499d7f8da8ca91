// Third and last step: what the import would do, and what it did.
import type { BestandImport, FePreview } from '#contract/bestand-import.ts'
import { addressText } from '#domain/bestand.ts'
import { type FeFault, feFieldsOf } from '#domain/bestand-import.ts'
import { Unfinished } from '../../imports/Unfinished.tsx'
import { ApplyImport } from '../../record/import/ImportActions.tsx'
import { LossNotice } from '../../record/import/LossNotice.tsx'
import { RowFaultTable, valueText } from '../../record/import/RowFaultTable.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Card, Facts, fact, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions, Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { feFaultText, feFieldName, feTableName } from './import-words.ts'

interface PreviewProps {
  datei: BestandImport
  vorschau: FePreview
  busy: boolean
  onBack: () => void
  onStart: (ort_bestaetigt: boolean) => void
}
export function Preview({ datei, vorschau, busy, onBack, onStart }: PreviewProps) {
  const { schichten, hinweise, fern, fehlerzahl } = vorschau
  const sum = (table: string) =>
    schichten.reduce((all, one) => all + (one.tabelle === table ? one.gut : 0), 0)
  return (
    <Stack>
      <Card title={fehlerzahl === 0 ? t('Alle Zeilen sind in Ordnung') : t('Zeilen mit Fehlern')}>
        <Stack>
          {fehlerzahl > 0 ? (
            <Faults vorschau={vorschau} ebenen={datei.ebenen} />
          ) : (
            <Taken datei={datei} bestaende={sum('bestand')} baumarten={sum('baumarten')} />
          )}
          <LossNotice hinweise={hinweise} />
          <ApplyImport
            busy={busy}
            ready={fehlerzahl === 0 && sum('bestand') > 0}
            fern={fern}
            onNext={onStart}
            onBack={onBack}
          />
        </Stack>
      </Card>
      {schichten.map((layer) => (
        <LayerRows key={layer.name} schicht={layer} ebenen={datei.ebenen} />
      ))}
    </Stack>
  )
}

function Faults({ vorschau, ebenen }: Pick<PreviewProps, 'vorschau'> & { ebenen: readonly string[] }) {
  return (
    <>
      <Notice tone="danger" title={t('{n} Fehler', { n: formatNumber(vorschau.fehlerzahl) })}>
        {t(
          'Übernommen wird alles oder nichts. Ändern Sie die Zuordnung, oder berichtigen Sie die Datei ' +
            'und laden Sie sie noch einmal hoch.',
        )}
      </Notice>
      <FaultTable fehler={vorschau.fehler} ebenen={ebenen} />
    </>
  )
}

interface TakenProps {
  datei: BestandImport
  bestaende: number
  baumarten: number
}
const Taken = ({ datei, bestaende, baumarten }: TakenProps) => (
  <>
    <p>
      {t('Übernommen werden Bestände: {n}, Baumarten: {m}.', {
        n: formatNumber(bestaende),
        m: formatNumber(baumarten),
      })}
    </p>
    {datei.vorhanden > 0 && (
      <Notice tone="warning">
        {datei.vorhanden === 1
          ? t('Sie ersetzen den Bestand, den {name} jetzt hat.', { name: datei.sHQ })
          : t('Sie ersetzen die {n} Bestände, die {name} jetzt hat.', {
              n: formatNumber(datei.vorhanden),
              name: datei.sHQ,
            })}
      </Notice>
    )}
  </>
)

type LayerPreview = FePreview['schichten'][number]
/** The first rows of a layer, with the fields that have values. */
function LayerRows({ schicht, ebenen }: { schicht: LayerPreview; ebenen: readonly string[] }) {
  const { name, tabelle, anzahl, gut, zeilen } = schicht
  const shown = feFieldsOf(tabelle, ebenen).filter(
    (field) =>
      !/^(?:sLVL|iSTAND)/.test(field.name) && zeilen.some(({ werte }) => werte[field.name] !== undefined),
  )
  return (
    <Card title={`${name}: ${feTableName(tabelle)}`} flush>
      <DataTable
        caption={t('Die ersten Zeilen von {schicht}; {gut} von {anzahl} sind in Ordnung', {
          schicht: name,
          gut: formatNumber(gut),
          anzahl: formatNumber(anzahl),
        })}
        columns={[
          { key: 'nr', title: t('Nr.'), cell: ({ nr }) => formatNumber(nr) },
          { key: 'adresse', title: t('Bestand'), cell: ({ adresse }) => addressText(adresse, ebenen) },
          ...shown.map(({ name: field, art }) => ({
            key: `feld-${field}`,
            title: feFieldName(field, ebenen),
            align: art === 'zahl' || art === 'ganz' ? ('end' as const) : ('start' as const),
            cell: ({ werte }: (typeof zeilen)[number]) => valueText(werte[field], art === 'tag'),
          })),
        ]}
        rows={zeilen}
        rowKey={({ nr }) => nr}
        empty={<p className="soft">{t('Keine Zeile dieser Schicht ist in Ordnung.')}</p>}
      />
    </Card>
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

export function Result({ datei, onAgain }: { datei: BestandImport; onAgain?: () => void }) {
  const { bericht } = datei
  if (bericht?.grund !== undefined)
    return (
      <Unfinished reason={bericht.grund}>
        {bericht.fehler !== undefined && bericht.fehler.length > 0 && (
          <FaultTable fehler={bericht.fehler} ebenen={datei.ebenen} />
        )}
      </Unfinished>
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
                  t('Flächen, deren Umriss sich selbst kreuzte: {n}', {
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
