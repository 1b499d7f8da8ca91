// Loads a customer by the id in the address: pending, missing, failed, or the page.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { t } from '../../ui/text.ts'
import { RecordUnready } from '../RecordUnready.tsx'
import { kunde as kundeQuery } from './kunde-record.data.ts'

/** `list`: address of the customer list. */
export function KundeLoad({
  id,
  list,
  children,
}: {
  id: string
  list: string
  children: (kunde: Kunde) => ReactNode
}) {
  const query = useQuery(kundeQuery(id))
  if (query.data) return children(query.data)
  const words = {
    title: t('Kunde'),
    notFound: t('Kunde nicht gefunden'),
    headline: t('Diesen Kunden gibt es nicht'),
    hint: t(
      'Die Nummer {id} gehört zu keinem Kunden, den Sie sehen dürfen. Vielleicht wurde er gelöscht, oder der ' +
        'Link ist unvollständig.',
      { id },
    ),
    back: { href: list, text: t('Zur Kundenliste') },
  }
  return <RecordUnready error={query.error} words={words} onRetry={() => void query.refetch()} />
}
