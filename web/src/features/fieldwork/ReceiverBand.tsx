// On every screen of the field mode: what the external receiver says now, or what is wrong with it. Positions come from
// the device again only when the person says so.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { accuracyText, fixText } from './accuracy-text.ts'
import { usePositioning } from './gnss.ts'
import { receiverSettings, useReceiverSettings } from './receiver-settings.ts'
import { type ReceiverStatus, receiverText, useReceiverStatus } from './receiver-status.ts'

export function ReceiverBand() {
  const { source } = useReceiverSettings()
  return source === 'geraet' ? null : <Shown />
}

function Shown() {
  // Keeps the line open whichever screen is shown.
  usePositioning()
  const status = useReceiverStatus()
  const fault = receiverText(status)
  const isGone = status.line === 'getrennt' || status.line === 'stumm'
  return (
    <aside
      className={fault === null ? 'feld-band feld-empfaenger' : 'feld-band'}
      aria-label={t('Externer Empfänger')}
    >
      <output>
        {fault !== null || status.place === null ? fault : <strong>{solutionText(status.place)}</strong>}
      </output>
      <span className="nums">
        {fault === null && <Satellites status={status} />}
        {status.place !== null && <Age arrived={status.arrived} isLast={fault !== null} />}
      </span>
      {isGone && (
        <span className="feld-band-taten">
          {status.line === 'getrennt' && (
            <Button
              size="small"
              onClick={() => void import('./receiver.ts').then(({ connectAgain }) => connectAgain())}
            >
              {t('Neu verbinden')}
            </Button>
          )}
          <Button size="small" onClick={() => receiverSettings.set({ source: 'geraet' })}>
            {t('Standort dieses Geräts verwenden')}
          </Button>
        </span>
      )}
    </aside>
  )
}
const solutionText = ({ solution, accuracy }: NonNullable<ReceiverStatus['place']>): string =>
  `${fixText(solution.type, solution.estimated)} · ± ${accuracyText(accuracy)}`

function Satellites({ status: { fix } }: { status: ReceiverStatus }) {
  if (fix === null) return null
  const { satellites, correctionAge } = fix
  return (
    <>
      {satellites !== null &&
        (satellites === 1 ? t('1 Satellit') : t('{n} Satelliten', { n: formatNumber(satellites) }))}
      {correctionAge !== null && ` · ${t('Korrektur {n} s alt', { n: formatNumber(correctionAge, 0) })}`}
      {' · '}
    </>
  )
}
function Age({ arrived, isLast }: { arrived: number; isLast: boolean }) {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const n = formatNumber(Math.max(0, Math.round((now - arrived) / 1_000)))
  return isLast ? t('letzte Position vor {n} s', { n }) : t('vor {n} s', { n })
}
