// Walks the border of a stand: which one, the track, the area that becomes of it. A border that waits to be sent is
// shown under its number.
import { useEffect, useState } from 'react'
import { newId } from '../../data/new-id.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, fact, Facts, Notice } from '../../ui/Display.tsx'
import { formatDateTime, formatNumber } from '../../ui/format.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { NotNow } from '../../ui/told-error.ts'
import { useView } from '../../ui/view.tsx'
import { walkedArea } from '#domain/border/area.ts'
import { parseTrack } from '#domain/border/track.ts'
import { borderName, borderValuesOf } from './border-capture.ts'
import { stateOfDraft } from './border-draft.ts'
import { BorderWalk } from './BorderWalk.tsx'
import './capture.css'
import { useFieldwork } from './fieldwork-context.ts'
import { type BorderEntry, type FieldworkPacket, persistent } from './fieldwork-db.ts'
import { fetchBorder } from './queue-read.ts'
import { discardCapture, fetchNewDraft, retry } from './queue.ts'
import { useRuleText } from './rule-text.ts'
import type { BorderStart } from './use-border.ts'
import { useStored } from './use-stored.ts'

const fresh = (): BorderStart => ({
  kennung: newId(),
  bestandId: null,
  address: ['', '', '', '', '', ''],
  points: [],
  tolerance: 1,
  snaps: true,
  comment: '',
})

export function BorderPage({ packet, kennung }: { packet: FieldworkPacket; kennung: string | null }) {
  return kennung === null ? (
    <NewBorder packet={packet} />
  ) : (
    <WaitingBorder kennung={kennung} packet={packet} />
  )
}

function NewBorder({ packet }: { packet: FieldworkPacket }) {
  const { db, sub } = useFieldwork()
  const [start, setStart] = useState<{ readonly from: BorderStart; readonly since: string | null } | null>(
    null,
  )
  const [fault, setFault] = useState<unknown>(null)
  useEffect(() => {
    let gone = false
    void fetchNewDraft(db, sub, 'grenze', packet.idHQ).then(
      (draft) => {
        if (gone) return
        setStart(
          draft !== undefined
            ? { from: { ...stateOfDraft(draft), kennung: draft.kennung }, since: draft.am }
            : { from: fresh(), since: null },
        )
      },
      (error: unknown) => !gone && setFault(error),
    )
    void persistent()
    return () => {
      gone = true
    }
  }, [db, sub, packet.idHQ])
  if (fault !== null) return <ErrorState error={fault} />
  if (start === null) return <Skeleton lines={6} />
  return (
    <BorderWalk
      key={start.from.kennung}
      packet={packet}
      start={start.from}
      since={start.since}
      onDiscarded={() => setStart({ from: fresh(), since: null })}
    />
  )
}

function WaitingBorder({ kennung, packet }: { kennung: string; packet: FieldworkPacket }) {
  const { data: entry, fehler } = useStored(
    async (db, sub) => ({ found: await fetchBorder(db, sub, kennung) }),
    kennung,
  )
  const { go } = useView()
  if (fehler !== null) return <ErrorState error={fehler} />
  if (entry === null) return <Skeleton lines={4} />
  if (entry.found === null)
    return (
      <EmptyState
        icon="check"
        title={t('Diese Grenze ist übertragen')}
        action={<Button onClick={() => go('/feld')}>{t('Zur Karte')}</Button>}
      >
        {t('Im Büro wird sie geprüft und übernommen: unter Waldbestand, „Grenzen aus dem Wald“.')}
      </EmptyState>
    )
  return <Waiting entry={entry.found} packet={packet} />
}

function Waiting({ entry, packet }: { entry: BorderEntry; packet: FieldworkPacket }) {
  const { db, sub } = useFieldwork()
  const { go } = useView()
  const [leaving, setLeaving] = useState(false)
  const reason = useRuleText(entry.antwort?.regel ?? null)
  const values = borderValuesOf(entry)
  const points = parseTrack(values.spur)
  const places = values.lage.split(',').map((one) => {
    const [lon = 0, lat = 0] = one.split(' ').map(Number)
    return { lon, lat, kind: 'karte' as const, accuracy: null, fix: null, estimated: false, time: null }
  })
  const discard = async () => {
    if (!(await discardCapture(db, sub, entry.kennung)))
      throw new NotNow(t('Diese Grenze wird gerade übertragen und lässt sich nicht mehr verwerfen.'))
    setLeaving(false)
    go('/feld')
  }
  return (
    <div className="erf-form">
      <section className="erf-teil">
        <h2>{borderName(values)}</h2>
        {entry.stand === 'abgelehnt' ? (
          <Notice tone="danger" title={t('Nicht angenommen')}>
            {reason}
          </Notice>
        ) : (
          <Badge tone="warning">{t('wartet auf Übertragung')}</Badge>
        )}
        <Facts
          facts={[
            fact(t('Forstbetrieb'), packet.sHQ),
            fact(t('Fläche'), t('{n} ha', { n: formatNumber(walkedArea(places, [], 0, false).ha, 4) })),
            fact(t('Punkte der Spur'), formatNumber(points.length)),
            fact(t('Ecken der Grenze'), formatNumber(places.length)),
            fact(t('Erfasst'), formatDateTime(values.erfasst_am)),
            fact(t('Bemerkung'), values.bemerkung),
          ]}
        />
      </section>
      <div className="erf-taten">
        <Button onClick={() => setLeaving(true)}>{t('Verwerfen')}</Button>
        {entry.stand === 'abgelehnt' && (
          <Button onClick={() => void retry(db, sub, entry.kennung)}>{t('Noch einmal senden')}</Button>
        )}
        <Button onClick={() => go('/feld/uebertragen')}>{t('Zur Übertragung')}</Button>
      </div>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Erfasste Grenze verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Die Spur und die Fläche sind dann weg.')}</p>
      </ConfirmDialog>
    </div>
  )
}
