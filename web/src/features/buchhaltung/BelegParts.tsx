// Parts of the pages that show a document: lines, letter, history and the real PDF.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { decimal, formatAmount, formatGerman, sign } from '#domain/geld.ts'
import { ApiError } from '../../data/api-error.ts'
import { fetchBlob } from '../../data/blob.ts'
import { useHasRole } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice } from '../../ui/Display.tsx'
import { HeadRow, SmallTable } from '../../ui/SmallTable.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { discountText } from '../../record/beleg/discount-words.ts'
import { PdfView, saveFile } from '../../record/beleg/PdfView.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { type BelegKind, logQuery } from './beleg.data.ts'
import { BelegSums } from '../../record/beleg/BelegSums.tsx'
import { eventText } from './event-words.ts'
import { seriePath } from './serie/serie.data.ts'
import { positionKindText, columnText } from './position/position-words.ts'

export function BelegPositions({ beleg }: { beleg: Beleg }) {
  if (beleg.positionen.length === 0)
    return (
      <Card title={t('Positionen')}>
        <EmptyState icon="file" title={t('Noch keine Positionen')} />
      </Card>
    )
  return (
    <Card title={t('Positionen')}>
      <div className="stack">
        <SmallTable label={t('Positionen')}>
          <HeadRow
            left={[0, 1]}
            titles={(['nr', 'bez', 'anzahl', 'ep', 'ust_satz', 'betrag'] as const).map((column) =>
              columnText(column),
            )}
          />
          <tbody>
            {beleg.positionen.map((position) => (
              <tr
                key={position.nr}
                className={position.art === 'ueberschrift' ? 'beleg-table-heading' : undefined}
              >
                <td>{position.nr}</td>
                <td className="beleg-bez">
                  {position.bez}
                  {(position.art === 'optional' || position.art === 'alternativ') && (
                    <>
                      {' '}
                      <Badge tone={position.gewaehlt ? 'success' : 'neutral'}>
                        {position.gewaehlt
                          ? t('{art}, gewählt', { art: positionKindText(position.art) })
                          : positionKindText(position.art)}
                      </Badge>
                    </>
                  )}
                  {position.erl_on && (position.erl_titel !== '' || position.erl !== '') && (
                    <div className="soft beleg-pre">
                      {[position.erl_titel, position.erl].filter((text) => text !== '').join('\n')}
                    </div>
                  )}
                </td>
                <td className="cell-end nums">
                  {position.art !== 'ueberschrift' &&
                    `${formatGerman(decimal(position.anzahl))}\u00A0${position.einheit}`}
                </td>
                <td className="cell-end nums">
                  {position.art !== 'ueberschrift' && formatGerman(decimal(position.ep), { atLeast: 2 })}
                  {position.art !== 'ueberschrift' && sign(decimal(position.rabatt_prozent)) !== 0 && (
                    <div className="soft">{discountText(position.rabatt_prozent)}</div>
                  )}
                </td>
                <td className="cell-end nums">
                  {position.art !== 'ueberschrift' && formatGerman(decimal(position.ust_satz))}
                </td>
                <td className="cell-end nums">{formatAmount(position.betrag)}</td>
              </tr>
            ))}
          </tbody>
        </SmallTable>
        <BelegSums summen={beleg.summen} rabatt_prozent={beleg.rabatt_prozent} />
      </div>
    </Card>
  )
}

export function BelegTexts({ beleg }: { beleg: Beleg }) {
  const texts = [beleg.anrede, beleg.anschreiben, beleg.zuerl].filter((text) => text.trim() !== '')
  if (texts.length === 0) return null
  return (
    <Card title={t('Texte')}>
      <div className="stack">
        {texts.map((text) => (
          <p key={text} className="beleg-pre">
            {text}
          </p>
        ))}
      </div>
    </Card>
  )
}

export function BelegLog({ docKind, id }: { docKind: BelegKind; id: string }) {
  const query = useQuery(logQuery(docKind, id))
  return (
    <Card title={t('Verlauf')}>
      {query.isPending ? (
        <Skeleton lines={4} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ol className="beleg-log">
          {query.data.map(({ nr, zeit, wer, ereignis, inhalt }) => (
            <li key={nr}>
              <DateText value={zeit} time />
              <strong>{eventText(ereignis)}</strong>
              <span className="soft">{wer ?? t('ohne Namen')}</span>
              <SerieNote content={inhalt} />
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}

/** Which recurring invoice a draft was made by. An auditor reads only the period. */
function SerieNote({ content }: { content: Readonly<Record<string, unknown>> }) {
  const writes = useHasRole('apus_admin')
  const { serie_id, zeitraum } = content
  if (typeof serie_id !== 'number') return null
  const text = t('aus einer wiederkehrenden Rechnung, {zeitraum}', { zeitraum: String(zeitraum) })
  return (
    <span className="soft beleg-log-more">{writes ? <a href={seriePath(serie_id)}>{text}</a> : text}</span>
  )
}

const pathOf = (docKind: BelegKind, id: string, kind: 'pdf' | 'xml') => `beleg/${docKind}/${id}.${kind}`

/**
 * The real PDF beside the data: rendered by the server, fetched with the caller's token, shown from memory.
 */
export function BelegImage({
  docKind,
  id,
  version,
  name,
}: {
  docKind: BelegKind
  id: string
  version: number
  name: string
}) {
  const query = useQuery({
    queryKey: [docKind, 'record', id, 'pdf', version],
    queryFn: ({ signal }) => fetchBlob(pathOf(docKind, id, 'pdf'), signal),
    retry: false,
    // A version stays as it is: a refetch would only lead the reader back to its first page.
    staleTime: Infinity,
    gcTime: 60_000,
  })
  return (
    <Card title={t('Vorschau')}>
      {query.isError ? (
        <Notice
          tone="info"
          title={t('Die Vorschau ist nicht verfügbar')}
          actions={<Button onClick={() => void query.refetch()}>{t('Erneut versuchen')}</Button>}
        >
          {query.error instanceof ApiError && query.error.code !== 'not_found'
            ? query.error.message
            : t('Für diesen Beleg liegt noch kein PDF vor.')}
        </Notice>
      ) : query.data === undefined ? (
        <Skeleton lines={12} />
      ) : (
        <PdfView key={`${id} ${version}`} blob={query.data} name={name} />
      )}
    </Card>
  )
}

export function BelegFiles({
  docKind,
  id,
  name,
  xml,
}: {
  docKind: BelegKind
  id: string
  name: string
  xml: boolean
}) {
  const [busy, setBusy] = useState<'pdf' | 'xml' | null>(null)
  const load = async (kind: 'pdf' | 'xml') => {
    if (busy !== null) return
    setBusy(kind)
    try {
      saveFile(await fetchBlob(pathOf(docKind, id, kind)), name, kind)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <>
      <Button icon="download" busy={busy === 'pdf'} onClick={() => void load('pdf')}>
        {t('PDF')}
      </Button>
      {xml && (
        <Button icon="download" busy={busy === 'xml'} onClick={() => void load('xml')}>
          {t('XML')}
        </Button>
      )}
    </>
  )
}
