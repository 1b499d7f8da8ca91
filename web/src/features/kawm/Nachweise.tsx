// The evidence: made for a day, and who made which.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { berichtWege, type NachweisAuftrag } from '#contract/habitat-bericht.ts'
import type { Kawm } from '#contract/habitat.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Card, DateText, NumberText } from '../../ui/Display.tsx'
import { formatDate } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { nachweiseKey, nachweiseQuery } from './kawm-page.data.ts'

const BerichtFortschritt = splitOff(async () => (await import('../../record/habitat/BerichtFortschritt.tsx')).BerichtFortschritt)

export function Nachweise({ betrieb, kawm: { heute } }: { betrieb: Betrieb; kawm: Kawm }) {
  const client = useQueryClient()
  const [tag, setTag] = useState(formatDate(heute))
  const [fotos, setFotos] = useState<NachweisAuftrag['fotos']>('titel')
  const [fault, setFault] = useState<string>()
  const [auftrag, setAuftrag] = useState<NachweisAuftrag | null>(null)
  const start = (event: FormEvent) => {
    event.preventDefault()
    const day = parseDay(tag)
    const refused =
      day === null
        ? dayExpected()
        : day > heute
          ? t('Der Stichtag liegt in der Zukunft.')
          : day < '2000-01-01'
            ? t('So früh gab es die Förderung noch nicht.')
            : undefined
    setFault(refused)
    if (refused === undefined && day !== null) setAuftrag({ tag: day, fotos })
  }
  return (
    <Card title={t('Nachweis')}>
      <div className="stack">
        <p>
          {t(
            'Eine ZIP-Datei mit Deckblatt, Karte und Liste der Bäume (PDF), denselben Zahlen als Excel-Tabelle und Bäumen und Beständen als GeoPackage für QGIS.',
          )}
        </p>
        <form className="kawm-nachweis" noValidate onSubmit={start}>
          <DateField
            label={t('Stichtag')}
            hint={t('Gezählt wird, was bis dahin erfasst, markiert und nicht verloren war.')}
            value={tag}
            error={fault}
            required
            onChange={({ target }) => setTag(target.value)}
          />
          <Segments<NachweisAuftrag['fotos']>
            label={t('Fotos')}
            value={fotos}
            options={[
              { value: 'titel', label: t('Titelfotos') },
              { value: 'keine', label: t('keine Fotos') },
            ]}
            onChange={setFotos}
          />
          <Button type="submit" variant="primary" icon="download">
            {t('Nachweis erstellen')}
          </Button>
        </form>
        <Liste hq={betrieb.idHQ} />
      </div>
      {auftrag && (
        <BerichtFortschritt
          title={t('Nachweis zum {tag}', { tag: formatDate(auftrag.tag) })}
          weg={berichtWege.nachweis(betrieb.idHQ)}
          auftrag={() => auftrag}
          done={t('Der Nachweis ist erstellt.')}
          onDone={() => void client.invalidateQueries({ queryKey: nachweiseKey(betrieb.idHQ) })}
          onClose={() => setAuftrag(null)}
        />
      )}
    </Card>
  )
}

function Liste({ hq }: { hq: number }) {
  const query = useQuery(nachweiseQuery(hq))
  if (query.data === undefined)
    return query.isPending ? <Skeleton lines={3} /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data.length === 0) return <p className="soft">{t('Noch wurde kein Nachweis erstellt.')}</p>
  return (
    <SmallTable label={t('Erstellte Nachweise')}>
      <HeadRow
        titles={[t('Erstellt'), t('Von'), t('Stichtag'), t('Erfasst'), t('Markiert'), t('Prüfsumme (SHA-256)')]}
        left={[0, 1, 2, 5]}
      />
      <tbody>
        {query.data.map(({ id, zeit, wer, neu }) => (
          <tr key={id}>
            <td>
              <DateText value={zeit} time />
            </td>
            <td>{wer ?? '–'}</td>
            <td>
              <DateText value={neu.stichtag} />
            </td>
            <td className="cell-end">
              <NumberText value={neu.erfasst} />
            </td>
            <td className="cell-end">
              <NumberText value={neu.markiert} />
            </td>
            <td>
              <code className="kawm-hash">{neu.sha256}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </SmallTable>
  )
}
