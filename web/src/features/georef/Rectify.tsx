// Has the server rectify the plan from the saved points: start, follow, cancel, show the result on the map,
// download it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type RectifyValues, type KarteJob, type KarteFile, kartePaths } from '#contract/karte-files.ts'
import { errorText, ruleText } from '../../data/api-error.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'
import { pathOf } from '../../karte/path.ts'
import { messageOf } from '../../record/record-faults.ts'
import { typeNames } from '../../karte/georef-type-names.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice, type Tone } from '../../ui/Display.tsx'
import { saveFile } from '../../ui/export/cells.ts'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { jobs, isUnderWay, karteKey } from './georef.data.ts'
import { jobWords } from './georef-words.ts'

type ResamplingMethod = RectifyValues['verfahren']
const methodWords = (): Record<ResamplingMethod, string> => ({
  near: t('nächster Nachbar (Strichzeichnung)'),
  bilinear: t('bilinear'),
  cubic: t('kubisch'),
  cubicspline: t('kubischer Spline'),
  lanczos: t('Lanczos'),
})
const TONES: Record<KarteJob['stand'], Tone> = {
  wartet: 'info',
  laeuft: 'info',
  fertig: 'success',
  fehlgeschlagen: 'danger',
  abgebrochen: 'warning',
}

interface Props {
  karteId: string
  kartenName: string
  /** Why no job can be started now; null if one can. */
  hindernis: string | null
  ergebnis: KarteFile | null
  displayed: boolean
  onShow: (displayed: boolean) => void
}

export function Rectify({ karteId, kartenName, hindernis, ergebnis, displayed, onShow }: Props) {
  const client = useQueryClient()
  const { data: liste = [] } = useQuery(jobs(karteId))
  const [verfahren, setMethod] = useState<ResamplingMethod>('cubic')
  const [kompression, setCompression] = useState<RectifyValues['kompression']>('jpeg')
  const [busy, setBusy] = useState<'bestellen' | 'abbrechen' | 'laden' | null>(null)
  const jobSpec = liste.find(({ art }) => art === 'entzerren')
  const running = jobSpec !== undefined && isUnderWay(jobSpec)
  const wasRunning = useRef(false)
  useEffect(() => {
    // The result is available once the job is done.
    if (wasRunning.current && !running)
      void client.invalidateQueries({
        queryKey: karteKey(karteId),
        predicate: ({ queryKey }) => queryKey.at(-1) !== 'georef',
      })
    wasRunning.current = running
  }, [running, client, karteId])

  const act = (what: NonNullable<typeof busy>, work: () => Promise<unknown>) => async () => {
    if (busy !== null) return
    setBusy(what)
    try {
      await work()
      await client.invalidateQueries({ queryKey: jobs(karteId).queryKey })
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(null)
    }
  }
  return (
    <Card title={t('Entzerrter Plan (GeoTIFF)')}>
      <div className="stack">
        <div className="georef-entzerren">
          <SelectField
            label={t('Umrechnung der Bildpunkte')}
            value={verfahren}
            options={Object.entries(methodWords()).map(([value, label]) => ({ value, label }))}
            onChange={(event) => setMethod(event.target.value as ResamplingMethod)}
          />
          <SelectField
            label={t('Kompression')}
            value={kompression}
            options={[
              { value: 'jpeg', label: t('JPEG (klein, für gescanntes Papier)') },
              { value: 'deflate', label: t('Deflate (verlustfrei)') },
            ]}
            onChange={(event) => setCompression(event.target.value as RectifyValues['kompression'])}
          />
          <Button
            icon="layers"
            busy={busy === 'bestellen'}
            disabled={hindernis !== null || running}
            onClick={() =>
              void act('bestellen', () =>
                rpc('a_add_karte_auftrag', { karte_id: karteId, verfahren, kompression }),
              )()
            }
          >
            {ergebnis === null ? t('Entzerren') : t('Neu entzerren')}
          </Button>
        </div>
        {hindernis !== null && <p className="soft">{hindernis}</p>}
        {jobSpec !== undefined && (
          <div className="georef-auftrag">
            <Badge tone={TONES[jobSpec.stand]}>{jobWords()[jobSpec.stand]}</Badge>
            <span className="soft">
              <DateText value={jobSpec.angelegt_am} time /> {jobSpec.wer}
            </span>
            {running && (
              <>
                <progress max={100} value={jobSpec.fortschritt} aria-label={t('Fortschritt')} />
                <span className="nums">{jobSpec.fortschritt} %</span>
                <Button
                  size="small"
                  busy={busy === 'abbrechen'}
                  onClick={() =>
                    void act('abbrechen', () => rpc('a_cancel_karte_auftrag', { id: jobSpec.id }))()
                  }
                >
                  {t('Auftrag abbrechen')}
                </Button>
              </>
            )}
          </div>
        )}
        {jobSpec?.stand === 'fehlgeschlagen' && (
          <Notice tone="danger" title={t('Das Entzerren ist fehlgeschlagen')}>
            <JobError jobSpec={jobSpec} />
          </Notice>
        )}
        {ergebnis !== null && (
          <div className="georef-auftrag">
            <strong>{ergebnis.name}</strong>
            <span className="soft">
              {[
                formatBytes(ergebnis.groesse),
                `${formatNumber(ergebnis.breite)} × ${formatNumber(ergebnis.hoehe)}`,
                ergebnis.georef_typ === null ? null : typeNames()[ergebnis.georef_typ],
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            </span>
            <Checkbox
              label={t('auf der Karte zeigen')}
              checked={displayed}
              onChange={(event) => onShow(event.target.checked)}
            />
            <Button
              size="small"
              icon="download"
              busy={busy === 'laden'}
              aria-label={t('Entzerrten Plan {name} herunterladen', { name: kartenName })}
              onClick={() =>
                void act('laden', async () =>
                  saveFile(
                    await fetchBlob(pathOf(kartePaths.datei(karteId, ergebnis.id)), undefined, {
                      timeoutMs: 600_000,
                    }),
                    ergebnis.name,
                  ),
                )()
              }
            >
              {t('Herunterladen')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

/** The server's error code in German, followed by details such as the points concerned. */
function JobError({ jobSpec: { fehler, einzelheit } }: { jobSpec: KarteJob }) {
  const { data } = useQuery({
    queryKey: ['regel', fehler],
    queryFn: async () => (await ruleText(fehler ?? undefined)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return <>{[data ?? errorText('internal'), einzelheit].filter(Boolean).join(' ')}</>
}
