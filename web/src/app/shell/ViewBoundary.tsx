// A fault in one page stays in that page: menu and top bar go on working.
import { Component, type ReactNode } from 'react'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'

/** Code of a page that is no longer on the server: the application was renewed while this window was open. */
const isMissingCode = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message)

export class ViewBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined }
  static getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidCatch(error: unknown) {
    console.error('a page failed', error)
  }
  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (isMissingCode(error))
      return (
        <div className="state" role="alert">
          <p className="state-title">{t('Diese Seite konnte nicht geladen werden')}</p>
          <p className="state-text">
            {t('Vermutlich wurde die Anwendung erneuert, oder die Verbindung ist unterbrochen. Bitte laden Sie neu.')}
          </p>
          <div className="state-action">
            <Button variant="primary" icon="refresh" onClick={() => location.reload()}>
              {t('Neu laden')}
            </Button>
          </div>
        </div>
      )
    return <ErrorState error={error} onRetry={() => this.setState({ error: undefined })} />
  }
}
