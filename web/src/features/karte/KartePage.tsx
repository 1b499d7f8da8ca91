// /karten/{id}: one plan. Staff edit it, a customer's people view it, and their admin answers.
import { useQuery } from '@tanstack/react-query'
import { useHasRole } from '../../data/session.ts'
import { RecordUnready } from '../../record/RecordUnready.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { karteQuery } from './karte.data.ts'
import { KarteKunde } from './KarteKunde.tsx'
import { KarteStaff } from './KarteStaff.tsx'
import './karte.css'

export function KartePage() {
  const id = useView().params['id'] ?? ''
  return <Laden key={id} id={id} />
}

function Laden({ id }: { id: string }) {
  const query = useQuery(karteQuery(id))
  const staff = useHasRole('apus_admin', 'apus_team')
  const mayAnswer = useHasRole('appuser_admin')
  if (query.data)
    return staff ? <KarteStaff karte={query.data} /> : <KarteKunde karte={query.data} mayAnswer={mayAnswer} />
  const words = {
    title: t('Karte'),
    notFound: t('Plan nicht gefunden'),
    headline: t('Diesen Plan gibt es nicht'),
    hint: t(
      'Die Nummer {id} gehört zu keinem Plan, den Sie sehen dürfen. Vielleicht wurde er gelöscht, oder ' +
        'er ist noch nicht freigegeben.',
      { id },
    ),
    back: { href: '/karten/index', text: t('Zu den Plänen') },
  }
  return <RecordUnready error={query.error} words={words} onRetry={() => void query.refetch()} />
}
