// What a screen shows if it has no data: loading, empty, error.
import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { VisuallyHidden } from './Display.tsx'
import { Icon, type IconName } from './Icon.tsx'
import { splitOff } from './split-off.tsx'
import './states.css'
import { t } from './text.ts'
import { ToldError } from './told-error.ts'

/** Grey placeholder lines for text. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <output className="skeleton">
      <VisuallyHidden>{t('Wird geladen …')}</VisuallyHidden>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className="skeleton-line" />
      ))}
    </output>
  )
}

const EmptyDrawing = splitOff<{ icon: IconName }>(
  () => import('./EmptyDrawing.tsx').then((code) => code.EmptyDrawing),
  null,
  { optional: true },
)

export function EmptyState({
  icon = 'inbox',
  title,
  children,
  action,
}: {
  icon?: IconName
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="state">
      <div className="state-drawing">
        <EmptyDrawing icon={icon} />
      </div>
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
      {action && <div className="state-action">{action}</div>}
    </div>
  )
}

/** Shows an error in one German sentence, with the next step. */
export function ErrorState({
  error,
  onRetry,
  action,
}: {
  error: unknown
  onRetry?: () => void
  action?: ReactNode
}) {
  const known = error instanceof ToldError
  return (
    <div className="state state-error" role="alert">
      <span className="state-mark">
        <Icon name="warning" size={26} />
      </span>
      <p className="state-title">{t('Das hat nicht geklappt')}</p>
      <div className="state-text">
        {known
          ? error.message
          : t(
              'Ein unerwarteter Fehler ist aufgetreten. Bitte laden Sie die Seite neu oder rufen Sie den Support an.',
            )}
      </div>
      <div className="state-action">
        {onRetry && (
          <Button icon="refresh" onClick={onRetry}>
            {t('Erneut versuchen')}
          </Button>
        )}
        {action}
      </div>
      {known && error.origin && (
        <p className="state-code">
          {t('Für den Support: {code}', { code: `${error.code} (${error.origin})` })}
        </p>
      )}
    </div>
  )
}
