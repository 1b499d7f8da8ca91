// The steps of an import, the current one marked. It gets the focus from the button that led to it, which is
// gone with its step.
import { useEffect, useRef } from 'react'
import { takeLostFocus } from '../../ui/leave-focus.ts'
import { t } from '../../ui/text.ts'
import './import.css'

export function ImportSteps({ titles, now }: { titles: readonly string[]; now: number }) {
  const head = useRef<HTMLOListElement>(null)
  // A long step ends at its button; the next one starts at its top.
  useEffect(() => {
    head.current?.scrollIntoView({ block: 'nearest' })
  }, [now])
  return (
    <ol ref={head} className="import-steps" aria-label={t('Schritte des Imports')}>
      {titles.map((title, at) => (
        <li
          key={title}
          ref={at === now ? takeLostFocus : undefined}
          tabIndex={at === now ? -1 : undefined}
          className={at < now ? 'import-step-done' : undefined}
          aria-current={at === now ? 'step' : undefined}
        >
          {title}
        </li>
      ))}
    </ol>
  )
}
