// Read-only facts of a customer, shared by both variants of its page.
import type { Kunde } from '#contract/kunde.ts'
import { contactName, fieldLabel, katasterName } from '../../record/kunde/kunde-fields.ts'
import { epsgName } from '../../record/kunde/kunde-values.ts'
import { Facts, fact } from '../../ui/Display.tsx'
import { formatDateTime } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

export const AddressFacts = ({ kunde }: { kunde: Kunde }) => (
  <Facts
    facts={[
      fact(fieldLabel('name'), kunde.name),
      fact(fieldLabel('name_zusatz'), kunde.name_zusatz),
      fact(fieldLabel('strasse'), kunde.strasse),
      fact(t('PLZ und Ort'), `${kunde.plz} ${kunde.ort}`),
      fact(t('Ansprechpartner'), contactName(kunde)),
      fact(
        fieldLabel('ap_tel'),
        kunde.ap_tel && <a href={`tel:${kunde.ap_tel.replaceAll(/[^+\d]/g, '')}`}>{kunde.ap_tel}</a>,
      ),
    ]}
  />
)
export const placeFacts = (kunde: Kunde) => [
  fact(fieldLabel('bundesland'), kunde.bundesland),
  fact(fieldLabel('epsg'), epsgName(kunde.epsg)),
]
export const projectFacts = (kunde: Kunde) => [
  fact(fieldLabel('kataster_status'), katasterName(kunde.kataster_status)),
  fact(fieldLabel('ordner'), kunde.ordner),
]

export function subtitle(kunde: Kunde): string {
  const number = t('Kundennummer {id}', { id: kunde.client_id })
  const when = formatDateTime(kunde.geaendert_am)
  const changed = kunde.geaendert_von
    ? t('zuletzt geändert am {when} von {who}', { when, who: kunde.geaendert_von })
    : t('zuletzt geändert am {when}', { when })
  return `${number} · ${changed}`
}
