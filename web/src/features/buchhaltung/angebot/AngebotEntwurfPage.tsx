// /buchhaltung/angebote/angebot/update/{update_id}: the draft of an offer.
import type { AngebotWerte } from '#contract/buchhaltung.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { type EntwurfArt, EntwurfPage } from '../EntwurfSeite.tsx'
import type { FeldWerte } from '../entwurf-words.ts'
import { ANGEBOT_SORTE } from '../sorten.ts'
import { ANGEBOT, ANGEBOT_FELDER, type AngebotEntwurf, type AngebotFeld, angebotEntwurf } from './angebot-kind.ts'

const ANGEBOT_ART: EntwurfArt<AngebotFeld, AngebotEntwurf> = {
  sorte: ANGEBOT_SORTE,
  kind: ANGEBOT,
  defs: ANGEBOT_FELDER,
  query: angebotEntwurf,
  toWerte: (changes) => changes as AngebotWerte,
  isDraft: ({ status }) => status === 'entwurf',
  name: ({ nummer }) => t('Angebot {nummer}', { nummer: nummer ?? '' }),
  datum: 'an_datum',
  otherNames: { datum: 'an_datum' },
  werteOf,
  kopf: ({ bind }) => (
    <>
      <DateField {...bind('gueltig_bis')} hint={t('leer: nach den Einstellungen')} />
      <TextField {...bind('ust_satz')} required unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('bearbeiter')} maxLength={100} autoComplete="off" />
    </>
  ),
  konditionen: ({ bind }) => (
    <>
      <TextField
        {...bind('chance')}
        unit="%"
        inputMode="numeric"
        autoComplete="off"
        hint={t('Wie wahrscheinlich der Auftrag ist; zählt in der Vorschau der Einnahmen.')}
      />
      <TextField {...bind('rabatt_prozent')} unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('rabatt_grund')} maxLength={200} autoComplete="off" />
    </>
  ),
}
export const AngebotEntwurfPage = () => <EntwurfPage art={ANGEBOT_ART} />

function werteOf(wert: (field: AngebotFeld) => string | number | null): FeldWerte {
  const text = (field: AngebotFeld) => String(wert(field) ?? '')
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
    },
    bestellnummer: null,
    anzahlung: '0.00',
  }
}
