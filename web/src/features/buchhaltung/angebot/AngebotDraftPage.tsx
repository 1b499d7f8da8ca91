// /buchhaltung/angebote/angebot/update/{update_id}: the draft of an offer.
import type { AngebotValues } from '#contract/buchhaltung.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'
import { DraftPage } from '../DraftPage.tsx'
import type { DraftSpec } from '../draft-spec.ts'
import type { DraftValues } from '../draft-words.ts'
import { MORE_NAMES, placeOf, referencesOf } from '../place-fields.ts'
import { PlaceFields, ReferenceFields } from '../PlaceFields.tsx'
import {
  ANGEBOT,
  ANGEBOT_FIELDS,
  type AngebotDraft,
  type AngebotField,
  angebotDraft,
} from './angebot-kind.ts'

const ANGEBOT_SPEC: DraftSpec<AngebotField, AngebotDraft> = {
  docKind: ANGEBOT_KIND,
  kind: ANGEBOT,
  defs: ANGEBOT_FIELDS,
  query: angebotDraft,
  toPayload: (changes) => changes as AngebotValues,
  isDraft: ({ status }) => status === 'entwurf',
  name: ({ nummer }) => t('Angebot {nummer}', { nummer: nummer ?? '' }),
  datum: 'an_datum',
  otherNames: { datum: 'an_datum', ...MORE_NAMES },
  fieldValuesOf,
  kopf: ({ bind, form }) => (
    <>
      <DateField {...bind('gueltig_bis')} hint={t('Standard: aus den Einstellungen')} />
      <TextField {...bind('ust_satz')} required unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('bearbeiter')} maxLength={100} autoComplete="off" />
      <PlaceFields bind={bind} form={form} />
    </>
  ),
  terms: ({ bind, form }) => (
    <>
      <TextField
        {...bind('chance')}
        unit="%"
        inputMode="numeric"
        autoComplete="off"
        hint={t('Wie wahrscheinlich der Auftrag ist; zählt in der Vorschau der Einnahmen.')}
      />
      <TextField
        {...bind('rabatt_prozent')}
        unit="%"
        inputMode="decimal"
        autoComplete="off"
        hint={t('Mit Minus ein Zuschlag: −5 sind 5 % mehr.')}
      />
      <TextField {...bind('rabatt_grund')} maxLength={200} autoComplete="off" />
      <ReferenceFields bind={bind} form={form} />
    </>
  ),
}
export const AngebotDraftPage = () => <DraftPage art={ANGEBOT_SPEC} />

function fieldValuesOf(wert: (field: AngebotField) => string | number | null): DraftValues {
  const text = (field: AngebotField) => String(wert(field) ?? '')
  const until = wert('gueltig_bis')
  return {
    beleg: {
      bearbeiter: text('bearbeiter'),
      datum: text('an_datum'),
      ...(until !== null && { gueltig_bis: String(until) }),
      anrede: text('anrede'),
      anschreiben: text('anschreiben'),
      zuerl: text('zuerl'),
      ust_satz: text('ust_satz'),
      rabatt_prozent: text('rabatt_prozent'),
      rabatt_grund: text('rabatt_grund'),
      ...placeOf(wert),
    },
    bestellnummer: null,
    verweise: referencesOf(wert),
    anzahlung: '0.00',
    zahlungsziel: null,
  }
}
