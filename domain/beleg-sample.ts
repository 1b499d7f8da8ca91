// A document without any findings, for tests that each break one thing in it.

import type { Beleg, BelegPosition, PositionKind } from './beleg.ts'
import { computeBeleg, type PositionBasis } from './rechnung.ts'

type Writable<T> = {
  -readonly [K in keyof T]: T[K] extends readonly (infer E)[]
    ? Writable<E>[]
    : T[K] extends object
      ? Writable<T[K]>
      : T[K]
}
export type MusterBeleg = Writable<Omit<Beleg, 'bezug'>> & Pick<Writable<Beleg>, 'bezug'>

export function musterPosition(
  part: Partial<BelegPosition> & { readonly art?: PositionKind } = {},
): BelegPosition {
  return {
    id: '1',
    lfd_nr: 1,
    art: 'position',
    nr: '',
    bez: 'Vermessung der Dränageleitungen',
    erl_titel: '',
    erl: '',
    erl_on: false,
    anzahl: '10.000',
    einheit: 'Std',
    ep: '78.5000',
    rabatt_prozent: '0.00',
    ust_satz: '19.00',
    kategorie: 'S',
    steuergrund: '',
    le_date: null,
    le_date_bis: null,
    betrag: '0.00',
    ...part,
  }
}

/** Sets the numbers, amounts and sums that follow from the rest of the document. */
export function computeMuster(beleg: MusterBeleg): void {
  const { summen, zeilen } = computeBeleg({
    positionen: beleg.positionen as readonly PositionBasis[],
    rabatt_prozent: beleg.rabatt_prozent,
    ust_satz: beleg.ust_satz,
    anzahlung: beleg.summen.anzahlung,
    kleinunternehmer: beleg.lieferant.kleinunternehmer,
  })
  beleg.positionen = beleg.positionen.map((position, index) => ({
    ...position,
    id: String(index + 1),
    lfd_nr: index + 1,
    ...zeilen[index]!,
  }))
  beleg.summen = { ...summen, steuern: summen.steuern.map((group) => ({ ...group })) }
}

/** XRechnung with two rates to a forestry office, 15 March 2026. */
export function musterBeleg(change: (beleg: MusterBeleg) => void = () => undefined): Beleg {
  const beleg: MusterBeleg = {
    fassung: 1,
    art: 'rechnung',
    id: '17',
    nummer: 'RE-2026-0017',
    entwurf: false,
    format: 'xrechnung',
    datum: '2026-03-15',
    le_date: '2026-02-01',
    le_date_bis: '2026-02-28',
    faellig: '2026-03-29',
    gueltig_bis: null,
    bearbeiter: 'Eva Forst',
    anrede: 'Sehr geehrte Damen und Herren,',
    anschreiben: 'für unsere Leistungen berechnen wir:',
    zuerl: 'Vielen Dank für den Auftrag.',
    ust_satz: '19.00',
    rabatt_prozent: '0.00',
    rabatt_grund: '',
    skonto: [{ tage: 10, prozent: '2.00' }],
    lieferant: {
      name: 'Forst & Vermessung GmbH',
      name_zusatz: '',
      strasse: 'Waldweg 3',
      plz: '19053',
      ort: 'Schwerin',
      land: 'DE',
      steuernummer: '079/815/08151',
      ust_id: 'DE136695976',
      ansprechpartner: 'Eva Forst',
      telefon: '+49 385 123456',
      mail: 'rechnung@forst-vermessung.example',
      webseite: 'https://forst-vermessung.example',
      bank: 'Musterbank',
      kontoinhaber: 'Forst & Vermessung GmbH',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      fusszeile: 'Amtsgericht Schwerin HRB 1234',
      kleinunternehmer: false,
    },
    empfaenger: {
      client_id: '5',
      name: 'Landesforst Musterland',
      name_zusatz: 'Forstamt Süd',
      strasse: 'Am Forstamt 1',
      plz: '17192',
      ort: 'Waren (Müritz)',
      land: 'DE',
      ust_id: '',
      leitweg_id: '04011000-1234512345-06',
      bestellnummer: 'B-4711',
      mail: 'rechnungseingang@landesforst.example',
      ist_privat: false,
    },
    positionen: [
      musterPosition(),
      musterPosition({
        bez: 'Pflanzware Stieleiche',
        anzahl: '2500.000',
        einheit: 'Stk',
        ep: '1.0850',
        ust_satz: '7.00',
      }),
      musterPosition({ bez: 'Luftbild', art: 'optional', anzahl: '1.000', einheit: 'psch', ep: '450.0000' }),
    ],
    summen: {
      positionen: '0.00',
      rabatt: '0.00',
      netto: '0.00',
      steuer: '0.00',
      brutto: '0.00',
      anzahlung: '0.00',
      zahlbetrag: '0.00',
      steuern: [],
    },
    bezug: null,
  }
  computeMuster(beleg)
  change(beleg)
  return beleg
}
