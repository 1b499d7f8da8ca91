// The map while a border is walked, and below it the step: choosing the stand, recording, and the area.
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { type WalkedArea, walkedArea } from '#domain/border/area.ts'
import { Surface, type SurfaceHandle } from '../../karte/Surface.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { type BorderState, knownPlaces } from './border-draft.ts'
import { BorderArea } from './BorderArea.tsx'
import { BorderTarget } from './BorderTarget.tsx'
import { BorderTrack } from './BorderTrack.tsx'
import { useFieldwork } from './fieldwork-context.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldLayers, useFollow } from './FieldworkKarte.tsx'
import { startPositioning } from './gnss.ts'
import type { BorderLayers } from './ol-border.ts'
import { detailsOf } from './packet.ts'
import { type BorderStart, useBorder } from './use-border.ts'
import { useStored } from './use-stored.ts'

interface Props {
  packet: FieldworkPacket
  start: BorderStart
  /** When a border that was begun before was last kept; null for a new one. */
  since: string | null
  onDiscarded: () => void
}
type Step = 'ziel' | 'spur' | 'flaeche'

export function BorderWalk({ packet, start, since, onDiscarded }: Props) {
  const border = useBorder({ start, idHQ: packet.idHQ })
  const { state, recording } = border
  const [step, setStep] = useState<Step>(start.points.length > 0 ? 'spur' : 'ziel')
  const [restored, setRestored] = useState(since)
  const [leaving, setLeaving] = useState(false)
  const { db, sub } = useFieldwork()
  const { data: known } = useStored(
    () => knownPlaces(db, sub, packet, state.bestandId),
    `${packet.geholt_am} ${state.bestandId}`,
  )
  const area = useMemo(
    () => (step === 'flaeche' ? walkedArea(state.points, known ?? [], state.tolerance, state.snaps) : null),
    [step, state.points, known, state.tolerance, state.snaps],
  )
  const to = (next: Step) => {
    if (next !== 'spur') recording.pause()
    setStep(next)
  }
  const { karte } = detailsOf(packet)
  const { onReady, locate, isFollowing } = useWalkMap(packet, border, step, area, state)
  const discard = async () => {
    recording.pause()
    await border.discard()
    setLeaving(false)
    onDiscarded()
  }
  const common = { packet, border, onStep: to, onDiscard: () => setLeaving(true) }
  return (
    <div className="feld-karte">
      <Surface
        label={t('Karte von {name}', { name: packet.sHQ })}
        make={(ol, target) =>
          ol.makeKarteSurface(target, packet.kasten === null ? null : [...packet.kasten], { wheel: 'immer' })
        }
        onReady={onReady}
        tool={
          <IconButton
            icon="target"
            label={isFollowing ? t('Die Karte folgt Ihrem Standort') : t('Mein Standort')}
            size="small"
            aria-pressed={isFollowing}
            onClick={locate}
          />
        }
        fuss={karte === null ? undefined : <span className="flaeche-quelle">{karte.namensnennung}</span>}
      />
      <section className="feld-tafel" aria-label={t('Grenze aufnehmen')}>
        {restored !== null && (
          <Notice
            tone="info"
            title={t('Begonnene Grenze')}
            actions={
              <>
                <Button size="small" onClick={() => setRestored(null)}>
                  {t('Weiter')}
                </Button>
                <Button size="small" onClick={() => setLeaving(true)}>
                  {t('Verwerfen')}
                </Button>
              </>
            }
          >
            {t('Was Sie am {when} begonnen haben, ist wieder da.', { when: formatDateTime(restored) })}
          </Notice>
        )}
        {step === 'ziel' && <BorderTarget {...common} />}
        {step === 'spur' && <BorderTrack {...common} known={known ?? []} />}
        {step === 'flaeche' && area !== null && (
          <BorderArea {...common} area={area} kennung={start.kennung} />
        )}
        {border.fault !== null && (
          <p className="field-error" role="alert">
            {border.fault}
          </p>
        )}
      </section>
      <ConfirmDialog
        open={leaving}
        danger
        title={t('Begonnene Grenze verwerfen?')}
        confirmLabel={t('Verwerfen')}
        onConfirm={discard}
        onCancel={() => setLeaving(false)}
      >
        <p>{t('Die Spur und die Fläche sind dann weg.')}</p>
      </ConfirmDialog>
    </div>
  )
}

/** The layers of the field map, the walked line and the area. */
function useWalkMap(
  packet: FieldworkPacket,
  { recording }: Pick<ReturnType<typeof useBorder>, 'recording'>,
  step: Step,
  area: WalkedArea | null,
  state: BorderState,
) {
  const { ort, stand } = recording.positioning
  const { following, setFollow } = useFollow(packet, ort)
  const base = useFieldLayers(
    packet,
    () => undefined,
    () => setFollow('nie'),
  )
  const [layers, setLayers] = useState<BorderLayers | null>(null)
  const follows = following && step !== 'flaeche'
  useEffect(() => base.ebenen?.ort(ort, stand !== 'da', follows), [base.ebenen, ort, stand, follows])
  // A walking person looks at the next hundred metres.
  const near = useEffectEvent(() => {
    if (ort !== null) base.ebenen?.panToMe(ort)
  })
  useEffect(() => {
    if (recording.running) near()
  }, [recording.running, base.ebenen])
  useEffect(() => layers?.track(state.points), [layers, state.points])
  useEffect(() => {
    layers?.area(area?.ring ?? [], area?.crossings ?? [])
    if (area !== null) layers?.fit()
  }, [layers, area])
  const onReady = (handle: SurfaceHandle) => {
    const endBase = base.onReady(handle)
    let made: BorderLayers | null = null
    let gone = false
    void import('./ol-border.ts').then(({ borderLayers }) => {
      if (gone) return
      made = borderLayers(handle.map)
      setLayers(made)
    })
    return () => {
      gone = true
      made?.dispose()
      endBase()
    }
  }
  const locate = () => {
    startPositioning()
    setFollow('immer')
    if (ort !== null) base.ebenen?.panToMe(ort)
  }
  return { onReady, locate, isFollowing: following && stand === 'da' }
}
