// Shows the errors since the page was loaded, with buttons to copy them for support and to clear them.
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Badge } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { clearErrors, type LoggedError, useErrorLog } from '../error-log.ts'
import { errorsAsText } from '../errors-as-text.ts'
import { VERSION } from '../version.ts'
import './error-log.css'
import '../../ui/table.css'

async function copy(entries: readonly LoggedError[]) {
  try {
    await navigator.clipboard.writeText(
      errorsAsText(entries, [`${document.title} · ${VERSION}`, navigator.userAgent]),
    )
    toast.success(t('Das Protokoll ist kopiert. Sie können es in eine Nachricht an den Support einfügen.'))
  } catch {
    toast.error(
      t(
        'Der Browser hat das Kopieren nicht erlaubt. Bitte markieren Sie den Text und kopieren Sie ihn von Hand.',
      ),
    )
  }
}

export function ErrorLogDialog({ onClose }: { onClose: () => void }) {
  const entries = useErrorLog()
  return (
    <Dialog
      open
      width="wide"
      title={t('Fehlerprotokoll')}
      onClose={onClose}
      footer={
        <>
          <Button
            icon="trash"
            onClick={() => {
              onClose()
              clearErrors()
            }}
          >
            {t('Alle löschen')}
          </Button>
          <Button variant="primary" data-autofocus onClick={() => void copy(entries)}>
            {t('Für den Support kopieren')}
          </Button>
        </>
      }
    >
      <p className="soft">
        {t(
          'Fehler auf dieser Seite, seit sie geladen wurde. Das Protokoll enthält keine Zugangsdaten ' +
            'und wird nicht automatisch versendet.',
        )}
      </p>
      <table className="table error-log">
        <thead>
          <tr>
            <th scope="col">{t('Meldung')}</th>
            <th scope="col">{t('Ablauf')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}

function Line({ entry: { message, stack, place, path, last, times } }: { entry: LoggedError }) {
  return (
    <tr>
      <td>
        <p className="error-log-message">{message}</p>
        <p className="soft nums">
          {formatDateTime(last.toISOString())} · {path}
        </p>
        <Badge tone="warning">{placeText(place)}</Badge>{' '}
        {times > 1 && <Badge tone="danger">{t('{count}-mal', { count: times })}</Badge>}
      </td>
      <td>
        {/* Scrolls on its own, so it must be focusable. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
        <section tabIndex={0} aria-label={t('Ablauf')}>
          <pre>{stack || '–'}</pre>
        </section>
      </td>
    </tr>
  )
}

function placeText(place: LoggedError['place']): string {
  if (place === 'view') return t('in einer Ansicht')
  return place === 'window' ? t('auf der Seite') : t('in einem Vorgang')
}
