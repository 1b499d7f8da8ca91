// Our staff who look after the customer: whom to ask about data that users cannot change themselves.
import { useQuery } from '@tanstack/react-query'
import { nameOf } from '../../record/person/person-words.ts'
import '../../members/members.css'
import { team as teamQuery } from '../../members/members.data.ts'
import { Card } from '../../ui/Display.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'

export function ContactPeople({ client_id }: { client_id: number }) {
  const query = useQuery(teamQuery(client_id))
  return (
    <Card title={t('Ihre Ansprechpartner bei uns')}>
      {query.isPending ? (
        <Skeleton lines={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <p className="soft">
          {t('Ihnen ist noch niemand fest zugeteilt. Rufen Sie bitte den Support an; die Nummer steht oben.')}
        </p>
      ) : (
        <ul className="mitglied-team">
          {query.data.map((person) => (
            <li key={person.user_id}>
              <strong>{nameOf(person)}</strong>
              <a href={`mailto:${encodeURIComponent(person.mail ?? person.email)}`}>
                {person.mail ?? person.email}
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
