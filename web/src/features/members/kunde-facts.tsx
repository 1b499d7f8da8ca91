// Read-only facts of a customer, shared by both variants of its page.
import type { Kunde } from '#contract/kunde.ts'
import { factsOf } from '../../record/kunde/kunde-facts.tsx'
import { FORM_FIELDS, TEAM_FIELDS } from '../../record/kunde/kunde-fields.ts'
import { Facts } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

const ADDRESS_FIELDS = FORM_FIELDS.filter((field) => !TEAM_FIELDS.includes(field))

export const AddressFacts = ({ kunde }: { kunde: Kunde }) => <Facts facts={factsOf(kunde, ADDRESS_FIELDS)} />
export const placeFacts = (kunde: Kunde) => factsOf(kunde, TEAM_FIELDS)
export const projectFacts = (kunde: Kunde) => factsOf(kunde, ['kataster_status', 'ordner'])

export function subtitle(kunde: Kunde): string {
  const number = t('Kundennummer {id}', { id: kunde.client_id })
  const when = formatDateTime(kunde.geaendert_am)
  const changed = kunde.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', { when, who: kunde.geaendert_von })
    : t('zuletzt geändert am {when}', { when })
  return `${number} · ${changed}`
}
