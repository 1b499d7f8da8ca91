// The issuing company: letterhead, tax numbers, account, terms, dunning fees, DATEV.
import { useQuery } from '@tanstack/react-query'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { RecordConflict, RecordForm } from '../../../record/RecordForm.tsx'
import type { RecordKind } from '../../../record/record-kind.ts'
import { type RecordEditor, useRecordForm } from '../../../record/use-record-form.ts'
import { Card, Notice } from '../../../ui/Display.tsx'
import {
  Checkbox,
  FieldGroup,
  SelectField,
  TextAreaField,
  TextField as TextInput,
} from '../../../ui/Field.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { BaseRates } from './BaseRates.tsx'
import { SmallBusinessChanges, TaxationChanges } from './TaxationChanges.tsx'
import { Logo } from './Logo.tsx'
import {
  checkLieferant,
  FIELDS,
  type Lieferant,
  type LieferantField,
  type LieferantRecord,
  type LieferantValues,
  recordOf,
  type Switch,
  type TextField,
  tidied,
} from './lieferant-form.ts'
import { lieferant, useSaveLieferant } from './settings.data.ts'

export function fieldLabel(field: LieferantField): string {
  const labels: Record<LieferantField, string> = {
    name: t('Firma'),
    name_zusatz: t('Zusatz'),
    strasse: t('Straße und Hausnummer'),
    plz: t('PLZ'),
    ort: t('Ort'),
    land: t('Land'),
    ansprechpartner: t('Ansprechpartner'),
    telefon: t('Telefon'),
    mail: t('E-Mail'),
    webseite: t('Webseite'),
    steuernummer: t('Steuernummer'),
    ust_id: t('USt-IdNr.'),
    kleinunternehmer: t('Kleinunternehmer nach § 19 UStG'),
    besteuerung: t('Umsatzsteuer wird fällig'),
    bank: t('Bank'),
    kontoinhaber: t('Kontoinhaber'),
    iban: t('IBAN'),
    bic: t('BIC'),
    glaeubiger_id: t('Gläubiger-ID'),
    einzug_tage: t('Ankündigung von Lastschriften'),
    zahlungsziel: t('Zahlungsziel'),
    skonto_tage: t('Skonto innerhalb von'),
    skonto_prozent: t('Skonto'),
    ust_satz: t('Steuersatz'),
    angebot_tage: t('Angebote gelten'),
    mahngebuehr_1: t('Gebühr der 1. Stufe'),
    mahngebuehr_2: t('Gebühr der 2. Stufe'),
    mahngebuehr_3: t('Gebühr der 3. Stufe'),
    mahn_kulanz: t('Wartezeit nach der Fälligkeit'),
    mahn_frist: t('Frist einer Mahnung'),
    fusszeile: t('Fußzeile'),
    aufbewahrung_text: t('Hinweis zur Aufbewahrung für Privatpersonen'),
    datev_berater: t('Beraternummer'),
    datev_mandant: t('Mandantennummer'),
    datev_kontenlaenge: t('Länge der Sachkonten'),
    datev_debitor_von: t('Erstes Debitorenkonto'),
    datev_erloeskonten: t('Erlöskonten'),
    datev_rahmen: t('Kontenrahmen'),
    datev_jahresbeginn: t('Wirtschaftsjahr beginnt im'),
    datev_debitor_sammel: t('Sammelkonto aller Debitoren'),
    datev_bankkonto: t('Bankkonto'),
    datev_skontokonten: t('Konten für gewährte Skonti'),
    datev_anzahlungskonten: t('Konten für erhaltene Anzahlungen'),
    datev_aufwandskonten: t('Aufwandskonten mit eigenem Steuerschlüssel'),
    datev_festschreiben: t('Buchungen festschreiben'),
    anlagen_anzahl: t('Anlagen einer Rechnung, höchstens'),
    anlagen_mb: t('Zusammen höchstens'),
  }
  return labels[field]
}

/** January to December by number, in the language of the page. */
function monthOptions() {
  const names = new Intl.DateTimeFormat(document.documentElement.lang || 'de', {
    month: 'long',
    timeZone: 'UTC',
  })
  return Array.from({ length: 12 }, (_, index) => ({
    value: String(index + 1),
    label: names.format(Date.UTC(2026, index, 1)),
  }))
}

const resolver: Resolver<LieferantValues> = (values) => {
  const faults = Object.entries(checkLieferant(values))
  if (faults.length === 0) return { values, errors: {} }
  return {
    values: {},
    errors: Object.fromEntries(
      faults.map(([field, message]) => [field, { type: 'check', message }]),
    ) as FieldErrors<LieferantValues>,
  }
}
const KIND: RecordKind<LieferantField, LieferantRecord, LieferantValues> = {
  draftOf: () => 'lieferant/1',
  fields: FIELDS,
  resolver,
  toValues: (row) => Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as LieferantValues,
  toFields: (values) => tidied(values),
  label: fieldLabel,
  show: (_field, value) => (typeof value === 'boolean' ? (value ? t('ja') : t('nein')) : String(value ?? '')),
  check: () => undefined,
  changedBy: (values) =>
    t(
      '{who} hat diese Angaben am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
}

export function Company() {
  const query = useQuery(lieferant)
  if (query.isError && query.data === undefined)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeleton lines={8} />
  return <FormBody row={query.data} />
}

type Editor = RecordEditor<LieferantField, LieferantRecord, LieferantValues>

/** Props of a text field, and of a switch. */
function bindings({ form: { register, formState } }: Editor) {
  return {
    text: (field: TextField) => ({
      label: fieldLabel(field),
      autoComplete: 'off',
      error: formState.errors[field]?.message,
      ...register(field),
    }),
    flag: (field: Switch) => ({ label: fieldLabel(field), ...register(field) }),
  }
}
type Bindings = ReturnType<typeof bindings>

function FormBody({ row }: { row: Lieferant | null }) {
  const editor = useRecordForm(KIND, recordOf(row), useSaveLieferant())
  const bound = bindings(editor)
  return (
    <div className="stack">
      {row === null && (
        <Notice title={t('Noch keine Angaben zum Unternehmen')}>
          {t('Ohne Firma, Anschrift und Steuernummer kann keine Rechnung ausgestellt werden.')}
        </Notice>
      )}
      <Card>
        <RecordForm editor={editor} label={t('Unternehmen')}>
          <AddressFields {...bound} />
          <TermFields {...bound} />
          <DatevFields {...bound} />
        </RecordForm>
      </Card>
      {row !== null && <TaxationChanges version={row.version} setting={row} />}
      {row !== null && <SmallBusinessChanges version={row.version} setting={row} />}
      {row !== null && <BaseRates version={row.version} rates={row.basiszins} />}
      {row !== null && <Logo version={row.version} typ={row.logo_typ} />}
      <RecordConflict editor={editor} />
    </div>
  )
}

const AddressFields = ({ text, flag }: Bindings) => (
  <>
    <FieldGroup title={t('Anschrift')}>
      <TextInput required {...text('name')} />
      <TextInput {...text('name_zusatz')} />
      <TextInput required {...text('strasse')} />
      <TextInput required {...text('plz')} />
      <TextInput required {...text('ort')} />
      <TextInput required hint={t('Zwei Buchstaben, zum Beispiel DE.')} {...text('land')} />
    </FieldGroup>
    <FieldGroup title={t('Kontakt')} hint={t('E-Rechnungen verlangen Ansprechpartner, Telefon und E-Mail.')}>
      <TextInput {...text('ansprechpartner')} />
      <TextInput {...text('telefon')} />
      <TextInput {...text('mail')} />
      <TextInput {...text('webseite')} />
    </FieldGroup>
    <FieldGroup title={t('Steuer')} hint={t('Eine von beiden Nummern muss auf jeder Rechnung stehen.')}>
      <TextInput {...text('steuernummer')} />
      <TextInput {...text('ust_id')} />
      <TextInput unit="%" inputMode="decimal" {...text('ust_satz')} />
      <SelectField
        hint={t(
          'Was gilt, steht im Bescheid des Finanzamts; die Umsatzsteuer-Voranmeldung richtet sich danach. Einen ' +
            'Wechsel tragen Sie unten mit seinem Monat ein.',
        )}
        options={[
          { value: 'soll', label: t('mit der Leistung (vereinbarte Entgelte, Soll)') },
          { value: 'ist', label: t('mit der Zahlung (vereinnahmte Entgelte, Ist, § 20 UStG)') },
        ]}
        {...text('besteuerung')}
      />
      <Checkbox
        hint={t(
          'Dann weisen Rechnungen keine Umsatzsteuer aus. Einen Wechsel tragen Sie unten mit seinem Tag ein.',
        )}
        {...flag('kleinunternehmer')}
      />
    </FieldGroup>
  </>
)

const TermFields = ({ text }: Bindings) => (
  <>
    <FieldGroup title={t('Bankverbindung')}>
      <TextInput {...text('bank')} />
      <TextInput {...text('kontoinhaber')} />
      <TextInput {...text('iban')} />
      <TextInput {...text('bic')} />
      <TextInput hint={t('Für Lastschriften; die Bundesbank vergibt sie.')} {...text('glaeubiger_id')} />
      <TextInput
        required
        unit={t('Tage')}
        inputMode="numeric"
        hint={t('So lange vorher nennt eine Rechnung den Tag des Einzugs; ohne Vereinbarung 14 Tage.')}
        {...text('einzug_tage')}
      />
    </FieldGroup>
    <FieldGroup title={t('Zahlung und Fristen')} hint={t('Gilt, wo beim Kunden nichts anderes steht.')}>
      <TextInput required unit={t('Tage')} inputMode="numeric" {...text('zahlungsziel')} />
      <TextInput unit={t('Tage')} inputMode="numeric" {...text('skonto_tage')} />
      <TextInput unit="%" inputMode="decimal" {...text('skonto_prozent')} />
      <TextInput required unit={t('Tage')} inputMode="numeric" {...text('angebot_tage')} />
    </FieldGroup>
    <FieldGroup
      title={t('Mahnungen')}
      hint={t(
        'Mahnungen werden nie automatisch versendet. Die Wartezeit gibt einer Überweisung Zeit, ' +
          'bevor eine Rechnung als mahnbar erscheint.',
      )}
    >
      <TextInput required unit="€" inputMode="decimal" {...text('mahngebuehr_1')} />
      <TextInput required unit="€" inputMode="decimal" {...text('mahngebuehr_2')} />
      <TextInput required unit="€" inputMode="decimal" {...text('mahngebuehr_3')} />
      <TextInput required unit={t('Tage')} inputMode="numeric" {...text('mahn_kulanz')} />
      <TextInput required unit={t('Tage')} inputMode="numeric" {...text('mahn_frist')} />
    </FieldGroup>
    <FieldGroup title={t('Texte auf Belegen')}>
      <TextAreaField
        rows={3}
        hint={t('Registergericht und Nummer, Geschäftsführung.')}
        {...text('fusszeile')}
      />
      <TextAreaField rows={3} {...text('aufbewahrung_text')} />
    </FieldGroup>
    <FieldGroup
      title={t('Anlagen von Rechnungen')}
      hint={t('Viele Empfänger nehmen höchstens 15 MB an, manche Postfächer weniger.')}
    >
      <TextInput required unit={t('Dateien')} inputMode="numeric" {...text('anlagen_anzahl')} />
      <TextInput required unit="MB" inputMode="numeric" {...text('anlagen_mb')} />
    </FieldGroup>
  </>
)

const DatevFields = ({ text, flag }: Bindings) => (
  <FieldGroup title={t('DATEV')} hint={t('Die Konten nennt Ihnen Ihre Steuerberatung.')}>
    <TextInput inputMode="numeric" {...text('datev_berater')} />
    <TextInput inputMode="numeric" {...text('datev_mandant')} />
    <TextInput required inputMode="numeric" {...text('datev_kontenlaenge')} />
    <TextInput required inputMode="numeric" {...text('datev_debitor_von')} />
    <TextInput
      inputMode="numeric"
      hint={t('Standard: Jeder Kunde hat sein eigenes Konto.')}
      {...text('datev_debitor_sammel')}
    />
    <SelectField
      options={[
        { value: '', label: t('nicht angegeben') },
        { value: '03', label: t('SKR 03') },
        { value: '04', label: t('SKR 04') },
      ]}
      {...text('datev_rahmen')}
    />
    <SelectField options={monthOptions()} {...text('datev_jahresbeginn')} />
    <TextAreaField
      rows={4}
      hint={t(
        'Je Zeile Steuersatz und Konto, zum Beispiel 19 % = 8400. Statt eines Satzes: AE = Steuer schuldet der ' +
          'Empfänger, E = steuerfrei, O = nicht steuerbar. Mit Steuerschlüssel: 19 % = 8000 BU 3.',
      )}
      {...text('datev_erloeskonten')}
    />
    <TextAreaField
      rows={4}
      hint={t('Wie die Erlöskonten; nur für den Export von Zahlungen.')}
      {...text('datev_skontokonten')}
    />
    <TextAreaField
      rows={4}
      hint={t(
        'Wie die Erlöskonten. Leer gilt der Kontenrahmen: SKR03 1718 für 19 % und 1711 für 7 %, SKR04 3272 und 3260.',
      )}
      {...text('datev_anzahlungskonten')}
    />
    <TextAreaField
      rows={4}
      hint={t(
        'Für Eingangsrechnungen. Je Zeile Konto und Schlüssel, zum Beispiel 4900 = 94. Automatikkonten: 3123 = ohne. ' +
          'Alle übrigen erhalten 9 für 19 % und 8 für 7 %.',
      )}
      {...text('datev_aufwandskonten')}
    />
    <TextInput
      inputMode="numeric"
      hint={t('Nur für den Export von Zahlungen.')}
      {...text('datev_bankkonto')}
    />
    <Checkbox
      hint={t('Die Steuerberatung kann die Buchungen dann nicht mehr ändern.')}
      {...flag('datev_festschreiben')}
    />
  </FieldGroup>
)
