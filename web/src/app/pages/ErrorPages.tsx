// /401: the page exists, but not for this person. /404: it does not exist. Both name it and link to the home
// page.
import type { ReactNode } from 'react'
import { ROLES } from '#domain/roles.ts'
import { useOptionalSession } from '../../data/session.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Icon, type IconName } from '../../ui/Icon.tsx'
import { Page } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { useApplication } from '../app-context.ts'
import { roleInWords } from '../role-words.ts'
import { GuestPage } from './GuestPage.tsx'

export function ForbiddenPage() {
  const { routeOf } = useApplication().routes
  const path = useNamedPath()
  const line = path ? routeOf(path) : undefined
  const rights = (line?.roles ?? [])
    .filter((role) => (ROLES as readonly string[]).includes(role))
    .map(roleInWords)
  return (
    <ErrorPage icon="lock" title={t('Kein Zugriff auf diese Seite')}>
      {line ? (
        <p>
          {t('Die Seite „{title}“ ({path}) ist für Ihren Zugang nicht freigegeben.', {
            title: t(line.title),
            path: path ?? '',
          })}
        </p>
      ) : (
        <p>{t('Diese Seite ist für Ihren Zugang nicht freigegeben.')}</p>
      )}
      {rights.length > 0 && (
        <p>{t('Es fehlt Ihnen eines dieser Rechte: {rights}.', { rights: rights.join(', ') })}</p>
      )}
      <p>{t('Wenn Sie das Recht brauchen, wenden Sie sich bitte an Ihre Verwaltung oder an den Support.')}</p>
    </ErrorPage>
  )
}

export function UnknownPage() {
  const path = useNamedPath()
  return (
    <ErrorPage icon="search" title={t('Seite nicht gefunden')}>
      <p>
        {path
          ? t('Unter der Adresse {path} gibt es hier nichts.', { path })
          : t('Unter dieser Adresse gibt es hier nichts.')}
      </p>
      <p>{t('Vielleicht ist der Link veraltet, oder in der Adresse steckt ein Tippfehler.')}</p>
    </ErrorPage>
  )
}

/** The requested path; only shown as text. */
function useNamedPath(): string | undefined {
  const path = useView().search['pfad']
  return path?.startsWith('/') ? path.slice(0, 200) : undefined
}

function ErrorPage({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  const { homeOf } = useApplication().routes
  const session = useOptionalSession()
  const page = (
    <Page title={title} width="narrow">
      <Card>
        <div className="state">
          <span className="state-mark">
            <Icon name={icon} size={26} />
          </span>
          <div className="state-text stack">{children}</div>
          <div className="state-action">
            <ButtonLink href={session ? homeOf(session.roles) : '/'} variant="primary" icon="home">
              {session ? t('Zur Startseite') : t('Zur Anmeldung')}
            </ButtonLink>
          </div>
        </div>
      </Card>
    </Page>
  )
  return session ? page : <GuestPage className="guest-narrow">{page}</GuestPage>
}
