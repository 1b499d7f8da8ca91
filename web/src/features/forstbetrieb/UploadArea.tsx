// An area from a GeoJSON file: read and checked in the browser, previewed before it is saved; replacing an
// existing area needs confirmation.
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { HqArea } from '#contract/forstbetrieb.ts'
import type { Hq } from '#contract/hq.ts'
import { epsgName } from '#domain/epsg.ts'
import { ApiError } from '../../data/api-error.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Facts, fact, Notice } from '../../ui/Display.tsx'
import { Field } from '../../ui/Field.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { kundeEpsg, useSetArea } from './forstbetrieb.data.ts'
import {
  type AreaFile,
  AreaFileFault,
  checkFileSize,
  geometryFault,
  MOST_FILE_BYTES,
  readAreaFile,
} from './read-geojson.ts'

interface Props {
  hq: Hq
  /** The one that is replaced. */
  area: HqArea | null
  onClose: () => void
}

export function UploadArea({ hq, area, onClose }: Props) {
  const epsg = useQuery(kundeEpsg(hq.client_id))
  const { file, fault, reading, saving, read, save } = useAreaFile({ hq, area, onClose }, epsg.data)
  return (
    <Dialog
      open
      title={area ? t('Fläche ersetzen') : t('Fläche hochladen')}
      dismissible={!saving}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={saving}>
            {t('Abbrechen')}
          </Button>
          <Button variant={area ? 'danger' : 'primary'} disabled={file === null} busy={saving} onClick={save}>
            {area ? t('Alte Fläche ersetzen') : t('Fläche übernehmen')}
          </Button>
        </>
      }
    >
      <div className="hq-file">
        <p className="confirm-record">{hq.sHQ}</p>
        <Instructions epsg={epsg} />
        <Field label={t('GeoJSON-Datei')} error={fault ?? undefined} required>
          {(tied) => (
            <input
              {...tied}
              type="file"
              className="input"
              accept=".geojson,.json,application/geo+json,application/json"
              disabled={epsg.data === undefined || saving}
              onChange={({ target }) => void read(target.files?.[0])}
            />
          )}
        </Field>
        {reading && <p className="soft">{t('Datei wird gelesen …')}</p>}
        {file && <FileFacts file={file} />}
        {file && area && (
          <Notice tone="warning" title={t('Die vorhandene Fläche wird ersetzt')}>
            {t(
              '„{name}“ hat schon eine Fläche von {ha} ha. Sie wird durch die Datei ersetzt und lässt ' +
                'sich nicht zurückholen.',
              { name: hq.sHQ, ha: formatNumber(area.flaeche_ha, 2) },
            )}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

/** The file as read, and saving its area. */
function useAreaFile({ hq, area, onClose }: Props, epsg: number | undefined) {
  const [file, setFile] = useState<AreaFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [reading, setReading] = useState(false)
  const set = useSetArea(hq)
  async function read(chosen: File | undefined): Promise<void> {
    setFile(null)
    setFault(null)
    if (!chosen || epsg === undefined) return
    setReading(true)
    try {
      checkFileSize(chosen.size)
      setFile(readAreaFile(await chosen.text(), epsg))
    } catch (error) {
      setFault(
        error instanceof AreaFileFault
          ? error.message
          : t('Die Datei lässt sich nicht lesen. Bitte wählen Sie sie noch einmal.'),
      )
    } finally {
      setReading(false)
    }
  }
  const done = () => {
    toast.success(
      area
        ? t('Die Fläche von {name} ist ersetzt.', { name: hq.sHQ })
        : t('Die Fläche von {name} ist übernommen.', { name: hq.sHQ }),
    )
    onClose()
  }
  const save = () => {
    if (!file || set.isPending) return
    setFault(null)
    set.mutate(
      { polygon: file.polygon, epsg: file.epsg, version: area?.version ?? null },
      { onSuccess: done, onError: (error) => setFault(areaFault(error)) },
    )
  }
  return { file, fault, reading, saving: set.isPending, read, save }
}

const areaFault = (error: Error): string =>
  error instanceof ApiError && error.rule === 'geometry' ? geometryFault(error.detail) : messageOf(error)

function Instructions({ epsg: { data, isError, error, refetch } }: { epsg: UseQueryResult<number> }) {
  if (isError)
    return (
      <Notice tone="danger" actions={<Button onClick={() => void refetch()}>{t('Erneut versuchen')}</Button>}>
        {messageOf(error)}
      </Notice>
    )
  return (
    <p>
      {t(
        'Eine GeoJSON-Datei mit einem oder mehreren Polygonen, höchstens {most}. Koordinaten in {epsg} ' +
          'oder in Grad (WGS 84); Ost vor Nord.',
        { most: formatBytes(MOST_FILE_BYTES), epsg: data === undefined ? '…' : epsgName(data) },
      )}
    </p>
  )
}

const FileFacts = ({ file }: { file: AreaFile }) => (
  <Facts
    facts={[
      fact(t('Flächen in der Datei'), formatNumber(file.parts)),
      fact(t('Eckpunkte'), formatNumber(file.corners)),
      fact(t('Koordinatensystem'), `${epsgName(file.epsg)} (${epsgFromName(file.epsgFrom)})`),
    ]}
  />
)

const epsgFromName = (from: AreaFile['epsgFrom']): string =>
  from === 'file'
    ? t('steht in der Datei')
    : from === 'degrees'
      ? t('an den Graden erkannt')
      : t('wie beim Kunden angenommen')
