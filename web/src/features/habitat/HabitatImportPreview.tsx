// Preview of an import: row counts, places on the map, faults by row, and the first rows as they would be
// stored.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { HabitatImportResult, HabitatImportFault } from '#contract/habitat-file.ts'
import { ruleText } from '../../data/rule-text.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { kindText, fieldLabel } from '../../record/habitat/habitat-words.ts'
import { LossNotice } from '../../record/import/LossNotice.tsx'
import { RowFaultTable } from '../../record/import/RowFaultTable.tsx'
import { ApplyImport } from '../../record/import/ImportActions.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Stack } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { wasText } from './import-words.ts'

const ImportKarte = splitOff(
  async () => (await import('./ImportKarte.tsx')).ImportKarte,
  <Skeleton lines={8} />,
)

interface Props {
  betrieb: Betrieb
  ergebnis: HabitatImportResult
  busy: boolean
  onBack: () => void
  onStart: (ort_bestaetigt: boolean) => void
}
const FIRST = 20
const fieldText = (field: string | null, levels: readonly string[]): string =>
  field === null ? '' : field === 'lage' ? t('Lage') : fieldLabel(field, levels)

export function HabitatImportPreview({ betrieb, ergebnis, busy, onBack, onStart }: Props) {
  const { anzahl, neu, geaendert, fehlerzahl, fehler, zeilen, hinweise, fern } = ergebnis
  const nothing = neu + geaendert === 0
  return (
    <Stack>
      <Card title={fehlerzahl === 0 ? t('Alle Zeilen sind in Ordnung') : t('Zeilen mit Fehlern')}>
        <Stack>
          <Verdict betrieb={betrieb} ergebnis={ergebnis} />
          <LossNotice hinweise={hinweise} />
          <ApplyImport
            busy={busy}
            ready={fehlerzahl === 0 && !nothing}
            fern={fern}
            onNext={onStart}
            onBack={onBack}
          />
          {busy && (
            <p className="soft" aria-live="polite">
              {t(
                'Sobald die Datei hochgeladen ist, können Sie diese Seite verlassen: Der Server schließt den ' +
                  'Import auch allein ab.',
              )}
            </p>
          )}
        </Stack>
      </Card>
      {anzahl > 0 && (
        <Card title={t('Wo die Bäume stehen')}>
          <ImportKarte betrieb={betrieb} zeilen={zeilen} fehler={fehler} />
        </Card>
      )}
      {zeilen.length > 0 && <FirstTrees zeilen={zeilen} />}
    </Stack>
  )
}

function Verdict({ betrieb, ergebnis }: Pick<Props, 'betrieb' | 'ergebnis'>) {
  const { anzahl, neu, geaendert, unveraendert, fehlerzahl, fehler } = ergebnis
  if (fehlerzahl > 0)
    return (
      <>
        <Notice
          tone="danger"
          title={fehlerzahl === 1 ? t('1 Fehler') : t('{n} Fehler', { n: formatNumber(fehlerzahl) })}
        >
          {t(
            'Übernommen wird alles oder nichts. Ändern Sie die Zuordnung, oder berichtigen Sie die ' +
              'Datei und laden Sie sie noch einmal hoch.',
          )}
        </Notice>
        <Fault fehler={fehler} ebenen={betrieb.ebenen} />
      </>
    )
  if (anzahl === 0) return <Notice tone="warning">{t('Die gewählte Schicht enthält keinen Baum.')}</Notice>
  return (
    <>
      <p>
        {t('Neue Bäume: {neu}, geänderte: {geaendert}, unveränderte: {unveraendert}.', {
          neu: formatNumber(neu),
          geaendert: formatNumber(geaendert),
          unveraendert: formatNumber(unveraendert),
        })}
      </p>
      {neu + geaendert === 0 && (
        <Notice tone="info">{t('Alles in dieser Datei ist schon da. Es gibt nichts zu importieren.')}</Notice>
      )}
    </>
  )
}

const FirstTrees = ({ zeilen }: Pick<HabitatImportResult, 'zeilen'>) => (
  <Card title={t('Die ersten Bäume')} flush>
    <DataTable
      caption={t('Die ersten Bäume')}
      columns={[
        { key: 'nr', title: t('Zeile'), align: 'end', cell: ([nr]) => formatNumber(nr) },
        {
          key: 'was',
          title: t('Was geschieht'),
          cell: ([, , , was]) => (
            <Badge tone={was === 'neu' ? 'success' : was === 'geaendert' ? 'info' : 'neutral'}>
              {wasText(was)}
            </Badge>
          ),
        },
        { key: 'nummer', title: t('Nummer'), cell: ([, , , , treeNumber]) => treeNumber ?? '' },
        { key: 'art', title: t('Baumart'), cell: ([, , , , , art]) => kindText(art, null) },
        { key: 'lat', title: t('Breite'), align: 'end', cell: ([, , lat]) => formatNumber(lat, 6) },
        { key: 'lon', title: t('Länge'), align: 'end', cell: ([, lon]) => formatNumber(lon, 6) },
      ]}
      rows={zeilen.slice(0, FIRST)}
      rowKey={([nr]) => nr}
    />
  </Card>
)

/** The texts of the rules are loaded when needed. */
function Fault({ fehler, ebenen }: { fehler: readonly HabitatImportFault[]; ebenen: readonly string[] }) {
  const rules = useMemo(() => [...new Set(fehler.map(({ regel }) => regel))].toSorted(), [fehler])
  const { data: texts } = useQuery({
    queryKey: ['habitat', 'regeln', rules],
    queryFn: async () =>
      new Map(await Promise.all(rules.map(async (rule) => [rule, await ruleText(rule)] as const))),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (texts === undefined) return <Skeleton lines={4} />
  return (
    <RowFaultTable
      caption={t('Fehler der Zeilen')}
      zeile={t('Zeile')}
      fehler={fehler.map(({ nr, feld, regel, wert }) => {
        const text = texts.get(regel) ?? t('Ein Wert hat nicht die richtige Form.')
        return {
          ort: formatNumber(nr),
          feld: fieldText(feld, ebenen),
          text: wert === '' ? text : `„${wert}“: ${text}`,
        }
      })}
    />
  )
}
