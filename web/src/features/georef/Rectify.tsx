// Has the server rectify the plan from the saved points: start, follow, cancel, show the result on the map,
// download it.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type KarteJob, type KarteFile, kartePaths } from '#contract/karte-files.ts'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { errorText } from '../../data/api-error.ts'
import { ruleText } from '../../data/rule-text.ts'
import { fetchBlob } from '../../data/blob.ts'
import { rpc } from '../../data/rpc.ts'
import { pathOf } from '../../karte/path.ts'
import { messageOf } from '../../record/record-faults.ts'
import { FarPlan, isFar } from '../../karte/FarPlan.tsx'
import { typeNames } from '../../karte/georef-type-names.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge, Card, DateText, Notice, type Tone } from '../../ui/Display.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { jobs, isUnderWay, OTHER_PLAN_DATA } from './georef.data.ts'
import { jobWords } from './georef-words.ts'

type ResamplingMethod = RectifyValues['verfahren']
const methodWords = (): Record<ResamplingMethod, string> => ({
  near: t('nächster Nachbar (Strichzeichnung)'),
  bilinear: t('bilinear'),
  cubic: t('kubisch'),
  cubicspline: t('kubischer Spline'),
  lanczos: t('Lanczos'),
  average: t('Mittelwert'),
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
  const jobSpec = useRectifyJob(karteId)
  return (
    <Card title={t('Entzerrter Plan (GeoTIFF)')}>
      <div className="stack">
        <Order
          karteId={karteId}
          disabled={hindernis !== null || (jobSpec !== undefined && isUnderWay(jobSpec))}
          again={ergebnis !== null}
        />
        {hindernis !== null && <p className="soft">{hindernis}</p>}
        {jobSpec !== undefined && <Job karteId={karteId} jobSpec={jobSpec} />}
        {jobSpec !== undefined && isFar(jobSpec) && (
          <ConfirmPlace karteId={karteId} jobSpec={jobSpec} disabled={hindernis !== null} />
        )}
        {jobSpec?.stand === 'fehlgeschlagen' && !isFar(jobSpec) && (
          <Notice tone="danger" title={t('Das Entzerren ist fehlgeschlagen')}>
            <JobError jobSpec={jobSpec} />
          </Notice>
        )}
        {ergebnis !== null && (
          <div className="georef-auftrag">
            <Result ergebnis={ergebnis} />
            <Checkbox
              label={t('auf der Karte zeigen')}
              checked={displayed}
              onChange={(event) => onShow(event.target.checked)}
            />
            <Download karteId={karteId} kartenName={kartenName} ergebnis={ergebnis} />
          </div>
        )}
      </div>
    </Card>
  )
}

/** The last job that rectifies this plan. Once it ends, its result is fetched. */
function useRectifyJob(karteId: string): KarteJob | undefined {
  const client = useQueryClient()
  const { data: list = [] } = useQuery(jobs(karteId))
  const jobSpec = list.find(({ art }) => art === 'entzerren')
  const running = jobSpec !== undefined && isUnderWay(jobSpec)
  const wasRunning = useRef(false)
  useEffect(() => {
    // It also changes the plan's state, which its own page and the lists show.
    if (wasRunning.current && !running) void client.invalidateQueries(OTHER_PLAN_DATA)
    wasRunning.current = running
  }, [running, client])
  return jobSpec
}

/** Runs one piece of work at a time and refetches the jobs after it. */
function useWork(karteId: string) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<unknown>): Promise<void> {
    if (busy) return
    setBusy(true)
    try {
      await work()
      await client.invalidateQueries({ queryKey: jobs(karteId).queryKey })
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { busy, run }
}

function Order({ karteId, disabled, again }: { karteId: string; disabled: boolean; again: boolean }) {
  const [method, setMethod] = useState<ResamplingMethod>('cubic')
  const [compression, setCompression] = useState<RectifyValues['kompression']>('jpeg')
  const { busy, run } = useWork(karteId)
  return (
    <div className="georef-entzerren">
      <SelectField
        label={t('Umrechnung der Bildpunkte')}
        value={method}
        options={Object.entries(methodWords()).map(([value, label]) => ({ value, label }))}
        onChange={(event) => setMethod(event.target.value as ResamplingMethod)}
      />
      <SelectField
        label={t('Kompression')}
        value={compression}
        options={[
          { value: 'jpeg', label: t('JPEG (klein, für gescanntes Papier)') },
          { value: 'deflate', label: t('Deflate (verlustfrei)') },
        ]}
        onChange={(event) => setCompression(event.target.value as RectifyValues['kompression'])}
      />
      <Button
        icon="layers"
        busy={busy}
        disabled={disabled}
        onClick={() => {
          const values = { karte_id: karteId, verfahren: method, kompression: compression }
          void run(() => rpc('a_add_karte_auftrag', values))
        }}
      >
        {again ? t('Neu entzerren') : t('Entzerren')}
      </Button>
    </div>
  )
}

interface ConfirmProps {
  karteId: string
  jobSpec: KarteJob
  disabled: boolean
}
function ConfirmPlace({ karteId, jobSpec, disabled }: ConfirmProps) {
  const { busy, run } = useWork(karteId)
  const reason = useJobError(jobSpec)
  const order = () =>
    void run(() =>
      rpc('a_add_karte_auftrag', {
        karte_id: karteId,
        ort_bestaetigt: true,
        ...(jobSpec.art === 'entzerren' && {
          verfahren: jobSpec.werte.verfahren,
          kompression: jobSpec.werte.kompression,
        }),
      }),
    )
  return <FarPlan reason={reason} busy={busy} onConfirm={disabled ? undefined : order} />
}

function Job({ karteId, jobSpec }: { karteId: string; jobSpec: KarteJob }) {
  const { busy, run } = useWork(karteId)
  return (
    <div className="georef-auftrag">
      <Badge tone={TONES[jobSpec.stand]}>{jobWords()[jobSpec.stand]}</Badge>
      <span className="soft">
        <DateText value={jobSpec.angelegt_am} time /> {jobSpec.wer}
      </span>
      {isUnderWay(jobSpec) && (
        <>
          <progress max={100} value={jobSpec.fortschritt} aria-label={t('Fortschritt')} />
          <span className="nums">{jobSpec.fortschritt} %</span>
          <Button
            size="small"
            busy={busy}
            onClick={() => void run(() => rpc('a_cancel_karte_auftrag', { id: jobSpec.id }))}
          >
            {t('Auftrag abbrechen')}
          </Button>
        </>
      )}
    </div>
  )
}

function Result({ ergebnis }: { ergebnis: KarteFile }) {
  return (
    <>
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
    </>
  )
}

function Download({
  karteId,
  kartenName,
  ergebnis,
}: Pick<Props, 'karteId' | 'kartenName'> & { ergebnis: KarteFile }) {
  const { busy, run } = useWork(karteId)
  async function save(): Promise<void> {
    const path = pathOf(kartePaths.datei(karteId, ergebnis.id))
    saveFile(await fetchBlob(path, undefined, { timeoutMs: 600_000 }), ergebnis.name)
  }
  return (
    <Button
      size="small"
      icon="download"
      busy={busy}
      aria-label={t('Entzerrten Plan {name} herunterladen', { name: kartenName })}
      onClick={() => void run(save)}
    >
      {t('Herunterladen')}
    </Button>
  )
}

const JobError = ({ jobSpec }: { jobSpec: KarteJob }) => <>{useJobError(jobSpec)}</>

/** The server's error code in German, followed by details such as the points concerned. */
function useJobError({ fehler, einzelheit }: KarteJob): string {
  const { data } = useQuery({
    queryKey: ['regel', fehler],
    queryFn: async () => (await ruleText(fehler ?? undefined)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return [data ?? errorText('internal'), einzelheit].filter(Boolean).join(' ')
}
