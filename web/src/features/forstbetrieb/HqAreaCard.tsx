// The area of a headquarters: a small map with its figures; ogf_admin can replace and delete it.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import type { HqArea } from '#contract/forstbetrieb.ts'
import type { Hq } from '#contract/hq.ts'
import { epsgName } from '#domain/epsg.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, DateText, Facts, fact, Notice, NumberText } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { spotOf } from '../../karte/outline-ground.ts'
import { metresPerUnit } from '../../karte/outline-view.ts'
import './forstbetrieb.css'
import { hqArea, useRemoveArea } from './forstbetrieb.data.ts'
import { AreaNotice } from './HqMasterData.tsx'

const OutlineKarte = splitOff(
  async () => (await import('../../karte/OutlineKarte.tsx')).OutlineKarte,
  <Skeleton lines={10} />,
)
const UploadArea = splitOff(async () => (await import('./UploadArea.tsx')).UploadArea)

export function HqAreaCard({ hq, isAdmin }: { hq: Hq; isAdmin: boolean }) {
  const area = useQuery(hqArea(String(hq.idHQ)))
  const [uploading, setUploading] = useState(false)
  if (area.isPending)
    return (
      <Card>
        <Skeleton lines={8} />
      </Card>
    )
  if (area.isError && area.data === undefined)
    return (
      <Card>
        <ErrorState error={area.error} onRetry={() => void area.refetch()} />
      </Card>
    )
  const upload = (
    <Button icon="upload" variant={area.data ? 'secondary' : 'primary'} onClick={() => setUploading(true)}>
      {area.data ? t('Fläche ersetzen') : t('Fläche hochladen')}
    </Button>
  )
  return (
    <>
      {area.data ? (
        <Drawn hq={hq} area={area.data} actions={isAdmin && upload} isAdmin={isAdmin} />
      ) : (
        <Card>
          <EmptyState icon="map" title={t('Noch keine Fläche gezeichnet')} action={isAdmin && upload}>
            {isAdmin
              ? t('Laden Sie den Umriss als GeoJSON-Datei hoch.')
              : t('Sobald wir den Umriss übernommen haben, sehen Sie ihn hier.')}
          </EmptyState>
        </Card>
      )}
      {uploading && <UploadArea hq={hq} area={area.data ?? null} onClose={() => setUploading(false)} />}
    </>
  )
}

interface DrawnProps {
  hq: Hq
  area: HqArea
  actions: ReactNode
  isAdmin: boolean
}
function Drawn({ hq, area, actions, isAdmin }: DrawnProps) {
  const [removing, setRemoving] = useState(false)
  const { epsg, geojson, xmin, ymin, xmax, ymax, south, north, version } = area
  const spot = useMemo(() => spotOf(area.epsg, area), [area])
  const shapes = useMemo(() => [{ key: version, polygon: geojson }], [geojson, version])
  const extent = useMemo(() => ({ xmin, ymin, xmax, ymax }), [xmin, ymin, xmax, ymax])
  const metres = useMemo(() => metresPerUnit(epsg, (south + north) / 2), [epsg, south, north])
  return (
    <div className="hq-columns">
      <Card title={t('Lageplan')}>
        <OutlineKarte
          shapes={shapes}
          extent={extent}
          metres={metres}
          spot={spot}
          label={t('Lageplan von {name}: {ha} ha', { name: hq.sHQ, ha: formatNumber(area.flaeche_ha, 2) })}
        />
      </Card>
      <Card title={t('Angaben zur Fläche')}>
        <div className="stack">
          <AreaFacts hq={hq} area={area} />
          <AreaNotice drawn={area.flaeche_ha} onPaper={hq.dcFLAEHB} />
          {area.vereinfacht && (
            <Notice>
              {t(
                'Der Umriss hat sehr viele Eckpunkte und ist hier vereinfacht dargestellt. Die Fläche ' +
                  'ist genau gerechnet.',
              )}
            </Notice>
          )}
          {isAdmin && (
            <Actions>
              {actions}
              <Button icon="trash" onClick={() => setRemoving(true)}>
                {t('Fläche löschen')}
              </Button>
            </Actions>
          )}
        </div>
      </Card>
      <RemoveArea hq={hq} area={area} isOpen={removing} onClose={() => setRemoving(false)} />
    </div>
  )
}

function AreaFacts({ hq, area }: Pick<DrawnProps, 'hq' | 'area'>) {
  const { epsg, xmin, ymin, xmax, ymax, south, north } = area
  const isDegrees = epsg === 4258 || epsg === 4326
  const place = (value: number) => formatNumber(value, isDegrees ? 5 : 0)
  const degrees = (value: number, direction: string) => `${formatNumber(value, 4)}°\u00a0${direction}`
  return (
    <Facts
      facts={[
        fact(t('Gezeichnete Fläche'), <NumberText key="ha" value={area.flaeche_ha} digits={2} unit="ha" />),
        fact(t('Fläche laut FE'), <NumberText key="fe" value={hq.dcFLAEHB} digits={2} unit="ha" />),
        fact(t('Koordinatensystem'), epsgName(epsg)),
        fact(t('Ost'), `${place(xmin)} – ${place(xmax)}`),
        fact(t('Nord'), `${place(ymin)} – ${place(ymax)}`),
        fact(t('Länge'), `${degrees(area.west, t('O'))} – ${degrees(area.east, t('O'))}`),
        fact(t('Breite'), `${degrees(south, t('N'))} – ${degrees(north, t('N'))}`),
        fact(t('Eckpunkte'), formatNumber(area.punkte)),
        fact(
          t('Übernommen'),
          <span key="am">
            <DateText value={area.geaendert_am} time />
            {area.geaendert_von && ` ${t('von {who}', { who: area.geaendert_von })}`}
          </span>,
        ),
      ]}
    />
  )
}

interface RemoveProps extends Pick<DrawnProps, 'hq' | 'area'> {
  isOpen: boolean
  onClose: () => void
}
function RemoveArea({ hq, area, isOpen, onClose }: RemoveProps) {
  const remove = useRemoveArea(hq)
  const confirm = () =>
    remove.mutateAsync(area.version).then(() => {
      onClose()
      toast.success(t('Die Fläche von {name} ist gelöscht.', { name: hq.sHQ }))
    })
  return (
    <ConfirmDialog
      open={isOpen}
      title={t('Fläche löschen?')}
      record={hq.sHQ}
      confirmLabel={t('Fläche löschen')}
      danger
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={confirm}
    >
      <p>
        {t('Der gezeichnete Umriss mit {ha} ha wird gelöscht. Die Fläche laut FE bleibt.', {
          ha: formatNumber(area.flaeche_ha, 2),
        })}
      </p>
    </ConfirmDialog>
  )
}
