// Error boundary of a page: menu and top bar keep working.
import { Component, type ReactNode, useEffect } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { PAUSES_MS } from '../keep-trying.ts'
import { isHanging, retryPages } from '../page-loading.ts'
import { PassingFault } from '../passing.ts'

/**
 * A page's code or styles failed to load: no connection, or a new version was installed while this window was
 * open.
 */
const isMissingCode = (error: unknown) => {
  if (error instanceof PassingFault) return true
  if (!(error instanceof Error)) return false
  return (
    error.message.startsWith('Unable to preload') ||
    (error instanceof TypeError && /import|module/i.test(error.message))
  )
}

const LOOK_MS = 1_000
/** Failures further apart than this are unrelated. */
const ROUND_MS = 60_000

interface State {
  readonly error: unknown
  /** How often its code was requested again, and when last. */
  readonly tries: number
  readonly at: number
}

export class ViewBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { error: undefined, tries: 0, at: 0 }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidCatch(error: unknown) {
    console.error('a page failed', error)
  }
  readonly #again = () => {
    retryPages()
    const now = Date.now()
    this.setState(({ tries, at }) => ({
      error: undefined,
      tries: now - at > ROUND_MS ? 1 : tries + 1,
      at: now,
    }))
  }
  override render() {
    const { error, tries, at } = this.state
    if (error === undefined) return this.props.children
    if (error instanceof PassingFault && error.passing.hangs) return <HangingCode onRetry={this.#again} />
    if (isMissingCode(error))
      return <MissingCode tries={Date.now() - at > ROUND_MS ? 0 : tries} onRetry={this.#again} />
    return <ErrorState error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}

function MissingCode({ tries, onRetry }: { tries: number; onRetry: () => void }) {
  const pause = PAUSES_MS[tries]
  useEffect(() => {
    if (pause === undefined) return undefined
    const timer = setTimeout(onRetry, pause)
    return () => clearTimeout(timer)
  }, [pause, onRetry])
  if (pause !== undefined)
    return (
      <output className="state">
        <span className="state-text">
          {t('Die Verbindung zum Server ist gestört, es wird noch einmal versucht …')}
        </span>
        <span className="splash-bar" aria-hidden="true" />
      </output>
    )
  return <Offer onRetry={onRetry} />
}

/**
 * Importing again would wait for the same request, so only a reload can start a new one. Code that arrives
 * late is still shown.
 */
function HangingCode({ onRetry }: { onRetry: () => void }) {
  useEffect(() => {
    const timer = setInterval(() => !isHanging() && onRetry(), LOOK_MS)
    return () => clearInterval(timer)
  }, [onRetry])
  return <Offer onRetry={() => location.reload()} />
}

function Offer({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <h1 className="state-title">{t('Diese Seite konnte nicht geladen werden')}</h1>
      <p className="state-text">
        {t(
          'Vermutlich ist die Verbindung unterbrochen, oder die Anwendung wurde erneuert. Bitte versuchen Sie ' +
            'es noch einmal, oder laden Sie neu.',
        )}
      </p>
      <div className="state-action">
        <Button variant="primary" icon="refresh" onClick={onRetry}>
          {t('Erneut versuchen')}
        </Button>
        <Button onClick={() => location.reload()}>{t('Neu laden')}</Button>
      </div>
    </div>
  )
}
