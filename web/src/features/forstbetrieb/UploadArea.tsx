// An area from a GeoJSON file: read and checked in the browser, previewed before it is saved; replacing an
// existing area needs confirmation.
import { useQuery } from '@tanstack/react-query'
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

export function UploadArea({ hq, area, onClose }: { hq: Hq; area: HqArea | null; onClose: () => void }) {
  const epsg = useQuery(kundeEpsg(hq.client_id))
  const [file, setFile] = useState<AreaFile | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [reading, setReading] = useState(false)
  const set = useSetArea(hq)

  async function read(chosen: File | undefined) {
    setFile(null)
    setFault(null)
    if (!chosen || epsg.data === undefined) return
    setReading(true)
    try {
      checkFileSize(chosen.size)
      setFile(readAreaFile(await chosen.text(), epsg.data))
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
  const save = () => {
    if (!file || set.isPending) return
    setFault(null)
    set.mutate(
      { polygon: file.polygon, epsg: file.epsg, version: area?.version ?? null },
      {
        onSuccess: () => {
          toast.success(
            area
              ? t('Die Fläche von {name} ist ersetzt.', { name: hq.sHQ })
              : t('Die Fläche von {name} ist übernommen.', { name: hq.sHQ }),
          )
          onClose()
        },
        onError: (error) =>
          setFault(
            error instanceof ApiError && error.rule === 'geometry'
              ? geometryFault(error.detail)
              : messageOf(error),
          ),
      },
    )
  }
  return (
    <Dialog
      open
      title={area ? t('Fläche ersetzen') : t('Fläche hochladen')}
      dismissible={!set.isPending}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={set.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button
            variant={area ? 'danger' : 'primary'}
            disabled={file === null}
            busy={set.isPending}
            onClick={save}
          >
            {area ? t('Alte Fläche ersetzen') : t('Fläche übernehmen')}
          </Button>
        </>
      }
    >
      <div className="hq-file">
        <p className="confirm-record">{hq.sHQ}</p>
        {epsg.isError ? (
          <Notice
            tone="danger"
            actions={<Button onClick={() => void epsg.refetch()}>{t('Erneut versuchen')}</Button>}
          >
            {messageOf(epsg.error)}
          </Notice>
        ) : (
          <p>
            {t(
              'Eine GeoJSON-Datei mit einem oder mehreren Polygonen, höchstens {most}. Koordinaten in {epsg} oder in Grad (WGS 84); Ost vor Nord.',
              {
                most: formatBytes(MOST_FILE_BYTES),
                epsg: epsg.data === undefined ? '…' : epsgName(epsg.data),
              },
            )}
          </p>
        )}
        <Field label={t('GeoJSON-Datei')} error={fault ?? undefined} required>
          {(tied) => (
            <input
              {...tied}
              type="file"
              className="input"
              accept=".geojson,.json,application/geo+json,application/json"
              disabled={epsg.data === undefined || set.isPending}
              onChange={({ target }) => void read(target.files?.[0])}
            />
          )}
        </Field>
        {reading && <p className="soft">{t('Datei wird gelesen …')}</p>}
        {file && (
          <Facts
            facts={[
              fact(t('Flächen in der Datei'), formatNumber(file.parts)),
              fact(t('Eckpunkte'), formatNumber(file.corners)),
              fact(t('Koordinatensystem'), `${epsgName(file.epsg)} (${epsgFromName(file.epsgFrom)})`),
            ]}
          />
        )}
        {file && area && (
          <Notice tone="warning" title={t('Die vorhandene Fläche wird ersetzt')}>
            {t(
              '„{name}“ hat schon eine Fläche von {ha} ha. Sie wird durch die Datei ersetzt und lässt sich nicht zurückholen.',
              {
                name: hq.sHQ,
                ha: formatNumber(area.flaeche_ha, 2),
              },
            )}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

const epsgFromName = (from: AreaFile['epsgFrom']): string =>
  from === 'file'
    ? t('steht in der Datei')
    : from === 'degrees'
      ? t('an den Graden erkannt')
      : t('wie beim Kunden angenommen')
