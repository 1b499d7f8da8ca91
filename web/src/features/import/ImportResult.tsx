// Last step: what was created, with a link to each new customer.
import { useState } from 'react'
import type { ImportReport } from '#contract/import.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { type Column, DataTable } from '../../ui/DataTable.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { csvFile } from '../../ui/export/csv.ts'
import { fileName, saveFile } from '../../ui/export/save-file.ts'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import type { ImportState } from './use-import.ts'
import { townOf } from '../../record/kunde/town.ts'

type Created = ImportReport['angelegt'][number]
const STEP = 100

const columns = (): Column<Created>[] => [
  { key: 'name', title: t('Kunde'), cell: ({ name }) => name },
  { key: 'ort', title: t('Ort'), cell: townOf },
  {
    key: 'forstbetriebe',
    title: t('Forstbetriebe'),
    align: 'end',
    cell: ({ forstbetriebe }) => formatNumber(forstbetriebe.length),
  },
  { key: 'zeile', title: t('Zeile der Datei'), align: 'end', cell: ({ zeile }) => zeile },
]

export function ImportResult({ state }: { state: ImportState }) {
  const [shown, setShown] = useState(STEP)
  const { bericht } = state
  if (bericht === null) return null
  const { kunden, forstbetriebe, uebersprungen, angelegt } = bericht
  return (
    <>
      <Notice tone="success" title={t('Import abgeschlossen')}>
        {t('Angelegte Kunden: {kunden}, Forstbetriebe: {hqs}.', {
          kunden: formatNumber(kunden),
          hqs: formatNumber(forstbetriebe),
        })}{' '}
        {uebersprungen === 1
          ? t('1 doppelte Zeile wurde übersprungen.')
          : uebersprungen > 0 &&
            t('{n} doppelte Zeilen wurden übersprungen.', { n: formatNumber(uebersprungen) })}
      </Notice>
      <Card flush title={t('Angelegte Kunden')} actions={<ReportDownload angelegt={angelegt} />}>
        <DataTable
          caption={t('Angelegte Kunden')}
          columns={columns()}
          rows={angelegt.slice(0, shown)}
          rowKey={({ client_id }) => client_id}
          rowHref={({ client_id }) => `/kunden/${client_id}`}
        />
        {shown < angelegt.length && (
          <div className="import-more">
            <Button onClick={() => setShown(shown + STEP)}>
              {t('Weitere zeigen ({n})', { n: formatNumber(angelegt.length - shown) })}
            </Button>
          </div>
        )}
      </Card>
      <Actions>
        <ButtonLink variant="primary" href="/kunden/index">
          {t('Zur Kundenliste')}
        </ButtonLink>
        <Button onClick={state.restart}>{t('Weitere Datei importieren')}</Button>
      </Actions>
    </>
  )
}

/** One line per headquarters, with the assigned ids. */
function ReportDownload({ angelegt }: { angelegt: readonly Created[] }) {
  const save = () => {
    const head = [t('Zeile'), t('Kundennummer'), t('Kunde'), t('Nummer des Forstbetriebs')]
    const rows = angelegt.flatMap(({ client_id, name, forstbetriebe }) =>
      forstbetriebe.map(({ zeile, hqid }) => [zeile, client_id, name, hqid]),
    )
    saveFile(csvFile({ name: t('Import'), head, rows }), fileName(t('Importbericht'), new Date(), 'csv'))
  }
  return (
    <Button icon="download" size="small" onClick={save}>
      {t('Bericht als CSV')}
    </Button>
  )
}
