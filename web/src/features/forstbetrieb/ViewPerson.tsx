// One person of a headquarters: contact data, and their headquarters as far as the user may see them.
import { useQuery } from '@tanstack/react-query'
import type { UserOfHq } from '#contract/rpc.ts'
import { useHasRole } from '../../data/session.ts'
import { hqStatusName, accessName } from '../../record/hq/hq-fields.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Drawer } from '../../ui/Dialog.tsx'
import { Facts, fact } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { hqsOfPerson, personName } from './forstbetrieb.data.ts'
import { MailLink } from '../../ui/MailLink.tsx'

export function ViewPerson({ person, onClose }: { person: UserOfHq; onClose: () => void }) {
  const hqs = useQuery(hqsOfPerson(person.user_id))
  const mayOpen = useHasRole('ogf_admin')
  return (
    <Drawer
      open
      title={personName(person)}
      onClose={onClose}
      footer={mayOpen && <ButtonLink href={`/nutzer/${person.user_id}`}>{t('Zum Nutzer')}</ButtonLink>}
    >
      <div className="stack">
        <Facts
          facts={[
            fact(t('Anmeldung'), <MailLink address={person.email} />),
            fact(t('E-Mail'), <MailLink address={person.mail ?? person.email} />),
            fact(t('Rolle in diesem Forstbetrieb'), hqStatusName(person.hq_status)),
            fact(t('App'), person.app_status === 'aktiv' ? t('aktiv') : t('gesperrt')),
            fact(t('Zugang'), person.enabled ? t('aktiv') : t('gesperrt')),
          ]}
        />
        <h3>{t('Forstbetriebe dieser Person')}</h3>
        {hqs.isPending ? (
          <Skeleton lines={3} />
        ) : hqs.isError ? (
          <ErrorState error={hqs.error} onRetry={() => void hqs.refetch()} />
        ) : (
          <ul className="hq-hits">
            {hqs.data.map((hq) => (
              <li key={hq.idHQ}>
                <span>
                  {hq.sHQ}
                  <span className="soft">
                    {hqStatusName(hq.hq_status)}, {accessName(hq.fb_enabled)}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        )}
        <p className="soft">{t('Gezeigt werden die Forstbetriebe, die auch Sie sehen dürfen.')}</p>
      </div>
    </Drawer>
  )
}
