// The customer of a document: a link for those who may open the customer's page. Auditors may not.
import { useHasRole } from '../../data/session.ts'
import { t } from '../../ui/text.ts'

const pageOf = (client_id: number): string => `/member-management/client/${client_id}`

export function KundeLink({ client_id, kunde }: { client_id: number; kunde: string }) {
  return useHasRole('apus_admin') ? <a href={pageOf(client_id)}>{kunde}</a> : kunde
}

export function KundeTermsLink({ client_id }: { client_id: number }) {
  const text = t('Format, Leitweg-ID, Zahlungsziel')
  return useHasRole('apus_admin') ? (
    <a href={`${pageOf(client_id)}?ansicht=abrechnung`}>{text}</a>
  ) : (
    <span className="soft">{t('stehen im Beleg')}</span>
  )
}
