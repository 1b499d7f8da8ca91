// A progress bar beside its words: how much of the target is reached.
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import './progress-bar.css'

export function ProgressBar({ name, value, of }: { name: string; value: number; of: number }) {
  const share = Math.min(1, value / of)
  const text = t('{n} von {soll} ({prozent} %)', {
    n: formatNumber(value),
    soll: formatNumber(of),
    prozent: formatNumber(Math.floor((value / of) * 100)),
  })
  return (
    <div>
      <div className="balken-kopf">
        <span>{name}</span>
        <span className="nums">{text}</span>
      </div>
      <div className="balken-bahn" aria-hidden="true">
        <span className={share >= 1 ? 'balken-voll' : undefined} style={{ inlineSize: `${share * 100}%` }} />
      </div>
    </div>
  )
}
