// The user's own roles, and for whom.
import { useSession } from '../../../data/session.ts'
import { Badge, Card } from '../../../ui/Display.tsx'
import { roleExplained, roleInWords } from '../../../ui/role-words.ts'
import { t } from '../../../ui/text.ts'
import '../nutzer.css'
import { kundeRoleName } from '../nutzer-words.ts'

export function OwnRoles() {
  const { roles } = useSession()
  return (
    <Card title={t('Ihre Rechte')}>
      <ul className="nutzer-roles">
        {roles.map((role) => (
          <li key={role}>
            <span>
              <Badge tone="info">{roleInWords(role)}</Badge>
            </span>
            <span className="soft">{roleExplained(role)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function OwnLinks() {
  const { user, hqs } = useSession()
  const kunden = user?.kunden ?? []
  return (
    <Card title={t('Verbunden mit')}>
      {kunden.length === 0 && hqs.length === 0 ? (
        <p className="soft">{t('Sie sind keinem Kunden und keinem Forstbetrieb zugeordnet.')}</p>
      ) : (
        <ul className="nutzer-reasons">
          {kunden.map(({ client_id, name, rolle }) => (
            <li key={`k${client_id}`}>
              <span>{t('Kunde: {name}', { name })}</span>
              <Badge>{kundeRoleName(rolle)}</Badge>
            </li>
          ))}
          {hqs.map(({ idHQ, sHQ, hq_status, fb_enabled }) => (
            <li key={`h${idHQ}`}>
              <span>{t('Forstbetrieb: {name}', { name: sHQ })}</span>
              <span className="nutzer-chips">
                <Badge>{hq_status.includes('hq_admin') ? t('Verwaltung') : t('Nutzer/in')}</Badge>
                {!fb_enabled && <Badge tone="warning">{t('nicht freigeschaltet')}</Badge>}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
