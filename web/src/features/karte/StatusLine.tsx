// The stages of a plan in one line: done, current, and still to come.
import type { KarteStatus } from '#contract/karte.ts'
import { VisuallyHidden } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { STATUS } from './karte-words.ts'

export function StatusLine({
  status,
  nameOf,
}: {
  status: KarteStatus
  nameOf: (status: KarteStatus) => string
}) {
  const at = STATUS.indexOf(status)
  return (
    <ol className="karte-linie" aria-label={t('Status des Plans')}>
      {STATUS.map((step, nr) => {
        const done = nr < at || status === 'abgeschlossen'
        return (
          <li
            key={step}
            className={done ? 'karte-linie-fertig' : nr === at ? 'karte-linie-hier' : undefined}
            aria-current={nr === at ? 'step' : undefined}
          >
            <span className="karte-linie-punkt">{done && <Icon name="check" size={14} />}</span>
            <span className="karte-linie-name">
              {nameOf(step)}
              {done && nr !== at && <VisuallyHidden>{` (${t('erledigt')})`}</VisuallyHidden>}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
