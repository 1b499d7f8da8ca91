// Third step: all objects are read; their faults, and the first ones as they would be stored.
import type { Preview, PreviewRow } from '#contract/vermessung-import.ts'
import { epsgName } from '#domain/epsg.ts'
import { fieldsOf, type Table } from '#domain/vermessung/fields.ts'
import type { Fault, ImportMode } from '#domain/vermessung/check.ts'
import { fieldName, tableName } from '../../record/kataster/kataster-words.ts'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Stack } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { LossNotice } from '../../record/import/LossNotice.tsx'
import { RowFaultTable, valueText } from '../../record/import/RowFaultTable.tsx'
import { ApplyImport } from '../../record/import/ImportActions.tsx'
import { faultText } from '../../record/import/import-faults.ts'

interface Props {
  vorschau: Preview
  modus: ImportMode
  busy: boolean
  onBack: () => void
  onStart: (ort_bestaetigt: boolean, verschiebung_bestaetigt: boolean) => void
}

export function PreviewCard({ vorschau, modus, busy, onBack, onStart }: Props) {
  const { schichten, hinweise, fern, verschoben, zone, fehlerzahl, fehler } = vorschau
  const objects = schichten.reduce((sum, { gut }) => sum + gut, 0)
  return (
    <Stack>
      <Card title={fehlerzahl === 0 ? t('Alle Objekte sind in Ordnung') : t('Objekte mit Fehlern')}>
        <Stack>
          {fehlerzahl > 0 ? (
            <>
              <Notice tone="danger" title={t('{n} Fehler', { n: formatNumber(fehlerzahl) })}>
                {t(
                  'Übernommen wird alles oder nichts. Ändern Sie die Zuordnung, oder berichtigen Sie die ' +
                    'Datei und laden Sie sie noch einmal hoch.',
                )}
              </Notice>
              <FaultTable fehler={fehler} />
            </>
          ) : objects === 0 ? (
            <Notice tone="warning">{t('Die gewählten Schichten enthalten kein Objekt.')}</Notice>
          ) : (
            <p>
              {t('Objekte, die im System {system} übernommen werden: {n}.', {
                n: formatNumber(objects),
                system: epsgName(zone),
              })}{' '}
              {modus === 'ersetzen' && t('Was nicht in der Datei steht, wird dabei entfernt.')}
            </p>
          )}
          <LossNotice hinweise={hinweise} />
          <ApplyImport
            busy={busy}
            ready={fehlerzahl === 0 && objects > 0}
            fern={fern}
            verschoben={verschoben}
            onNext={onStart}
            onBack={onBack}
          />
        </Stack>
      </Card>
      {schichten.map(({ name, tabelle, anzahl, gut, zeilen }) => (
        <Card key={name} title={`${name}: ${tableName(tabelle)}`} flush>
          <DataTable
            caption={t('Die ersten Objekte von {schicht}; {gut} von {anzahl} sind in Ordnung', {
              schicht: name,
              gut: formatNumber(gut),
              anzahl: formatNumber(anzahl),
            })}
            columns={columnsOf(tabelle, zeilen)}
            rows={zeilen}
            rowKey={({ nr }) => nr}
            empty={<p className="soft">{t('Kein Objekt dieser Schicht ist in Ordnung.')}</p>}
          />
        </Card>
      ))}
    </Stack>
  )
}

export const FaultTable = ({ fehler }: { fehler: readonly Fault[] }) => (
  <RowFaultTable
    caption={t('Fehler der Objekte')}
    zeile={t('Objekt')}
    fehler={fehler.map((one) => ({
      ort: t('{schicht}, Nr. {nr}', { schicht: one.schicht, nr: formatNumber(one.nr) }),
      feld: fieldName(one.feld),
      text: faultText(one),
    }))}
  />
)

function columnsOf(table: Table, rows: readonly PreviewRow[]): Column<PreviewRow>[] {
  const filled = fieldsOf(table).filter(({ name }) => rows.some(({ werte }) => werte[name] !== undefined))
  return [
    { key: 'nr', title: t('Nr.'), cell: ({ nr }) => formatNumber(nr) },
    { key: 'ost', title: t('Ostwert'), align: 'end', cell: ({ ost }) => formatNumber(ost, 2) },
    { key: 'nord', title: t('Nordwert'), align: 'end', cell: ({ nord }) => formatNumber(nord, 2) },
    ...(table === 'draenage'
      ? [
          {
            key: 'laenge',
            title: t('Länge (m)'),
            align: 'end' as const,
            cell: ({ laenge }: PreviewRow) => formatNumber(laenge ?? 0, 1),
          },
        ]
      : []),
    ...filled.map(
      ({ name, art }): Column<PreviewRow> => ({
        key: `feld-${name}`,
        title: fieldName(name),
        align: art === 'zahl' || art === 'ganz' ? 'end' : 'start',
        cell: ({ werte }) => valueText(werte[name], art === 'tag'),
      }),
    ),
  ]
}
