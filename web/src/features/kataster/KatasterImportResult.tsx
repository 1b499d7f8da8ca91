// Last step: progress and result.
import type { ImportCount, VermessungImport } from '#contract/vermessung-import.ts'
import { Unfinished } from '../../imports/Unfinished.tsx'
import { tableName } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { FaultTable } from './KatasterImportPreview.tsx'

export function Progress({ datei, onCancel }: { datei: VermessungImport; onCancel: () => void }) {
  return (
    <Card title={t('Import läuft')}>
      <div className="import-progress">
        <progress aria-label={t('Fortschritt des Imports')} max={100} value={datei.fortschritt} />
        <p aria-live="polite">
          {t('{n} % übernommen. Sie können diese Seite verlassen, der Import läuft weiter.', {
            n: formatNumber(datei.fortschritt),
          })}
        </p>
        <Button onClick={onCancel}>{t('Abbrechen')}</Button>
      </div>
    </Card>
  )
}

export function Result({ datei, onAgain }: { datei: VermessungImport; onAgain?: () => void }) {
  const { bericht } = datei
  if (bericht?.grund !== undefined)
    return (
      <Unfinished reason={bericht.grund}>
        {bericht.fehler !== undefined && bericht.fehler.length > 0 && <FaultTable fehler={bericht.fehler} />}
      </Unfinished>
    )
  return (
    <Card title={t('Der Import ist fertig')}>
      <DataTable
        caption={t('Was der Import geändert hat')}
        columns={[
          { key: 'tabelle', title: t('Objekte'), cell: ({ tabelle }) => tableName(tabelle) },
          { key: 'neu', title: t('neu'), align: 'end', cell: ({ neu }) => formatNumber(neu) },
          {
            key: 'geaendert',
            title: t('übernommen'),
            align: 'end',
            cell: ({ geaendert }) => formatNumber(geaendert),
          },
          {
            key: 'entfernt',
            title: t('entfernt'),
            align: 'end',
            cell: ({ entfernt }) => formatNumber(entfernt),
          },
          ...(bericht?.objekte?.some(({ behalten = 0 }) => behalten > 0)
            ? [
                {
                  key: 'behalten',
                  title: t('von Hand geändert, bleibt'),
                  align: 'end' as const,
                  cell: ({ behalten = 0 }: ImportCount) => formatNumber(behalten),
                },
              ]
            : []),
        ]}
        rows={bericht?.objekte ?? []}
        rowKey={({ tabelle }) => tabelle}
      />
      {onAgain !== undefined && (
        <Actions>
          <Button onClick={onAgain}>{t('Weitere Datei')}</Button>
        </Actions>
      )}
    </Card>
  )
}
