// Check of supplier and buyer: what § 14 (4) UStG requires of both, and what the format requires in addition.

import { isRetentionUntold } from './retention.ts'
import type { Beleg, BelegRecipient, BelegLieferant } from './beleg.ts'
import { type Findings, isBelegMail, isBlank, isERechnung } from './beleg-fault.ts'
import { isCountry, isPostcode, postcodeExample } from './countries.ts'
import { compare, NULL, parseDecimal } from './geld.ts'
import { ibanFault, isBic } from './iban.ts'
import { type LeitwegFault, leitwegFault } from './leitweg.ts'
import { taxNumberFault } from './tax-number.ts'
import { ustIdFault } from './ust-id.ts'

const SETTING = 'in den Einstellungen der Buchhaltung'
const AT_KUNDE = 'beim Kunden'

const LEITWEG_TEXT: Readonly<Record<LeitwegFault, string>> = {
  leer: `Für XRechnung fehlt die Leitweg-ID. Bitte beim Auftraggeber erfragen und ${AT_KUNDE} eintragen.`,
  zeichen: 'Die Leitweg-ID darf nur Buchstaben, Ziffern und Bindestriche enthalten. Bitte berichtigen.',
  aufbau:
    'Die Leitweg-ID besteht aus zwei oder drei Teilen mit Bindestrich und endet mit zwei Prüfziffern ' +
    '(04011000-1234512345-06). Bitte vollständig eintragen.',
  grob:
    'Der erste Teil der Leitweg-ID hat 2, 3, 5, 8, 9 oder 12 Ziffern. ' +
    'Bitte mit der Angabe des Auftraggebers vergleichen.',
  land:
    'Die Leitweg-ID beginnt mit dem Bundesland (01 bis 16) oder 99 für den Bund. ' +
    'Bitte mit der Angabe des Auftraggebers vergleichen.',
  fein:
    'Der mittlere Teil der Leitweg-ID hat höchstens 30 Zeichen. ' +
    'Bitte mit der Angabe des Auftraggebers vergleichen.',
  pruefziffer:
    'Die Prüfziffern der Leitweg-ID passen nicht. ' +
    'Bitte Ziffer für Ziffer mit der Angabe des Auftraggebers vergleichen.',
}

const ADDRESS_TEXT = {
  lieferant: {
    name: `Der Name des eigenen Betriebs fehlt. Bitte ${SETTING} eintragen.`,
    strasse: `Die Straße des eigenen Betriebs fehlt. Bitte ${SETTING} eintragen.`,
    plz: `Die Postleitzahl des eigenen Betriebs fehlt. Bitte ${SETTING} eintragen.`,
    ort: `Der Ort des eigenen Betriebs fehlt. Bitte ${SETTING} eintragen.`,
    land: `Das Land des eigenen Betriebs fehlt. Bitte ${SETTING} auswählen.`,
    plz_form: `Die Postleitzahl passt nicht zum Land. Bitte ${SETTING} berichtigen.`,
  },
  empfaenger: {
    name: `Der Name des Empfängers fehlt. Bitte ${AT_KUNDE} eintragen.`,
    strasse: `Die Straße des Empfängers fehlt. Bitte ${AT_KUNDE} eintragen.`,
    plz: `Die Postleitzahl des Empfängers fehlt. Bitte ${AT_KUNDE} eintragen.`,
    ort: `Der Ort des Empfängers fehlt. Bitte ${AT_KUNDE} eintragen.`,
    land: `Das Land des Empfängers fehlt. Bitte ${AT_KUNDE} auswählen.`,
    plz_form: `Die Postleitzahl passt nicht zum Land. Bitte ${AT_KUNDE} berichtigen.`,
  },
} as const

interface Address {
  readonly name: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly land: string
}

function checkAddress(
  at: 'lieferant' | 'empfaenger',
  party: Address,
  say: Findings['fehler'],
  found: Findings,
): void {
  const text = ADDRESS_TEXT[at]
  const mayLack = at === 'empfaenger' && isPostcode(party.land, '')
  for (const field of ['name', 'strasse', 'plz', 'ort'] as const)
    if (isBlank(party[field]) && !(field === 'plz' && mayLack))
      say(`${at}.${field}`, `${at}_${field}_fehlt`, text[field])
  if (!isCountry(party.land)) found.fehler(`${at}.land`, `${at}_land`, text.land)
  else if (
    postcodeExample(party.land) !== null &&
    !isBlank(party.plz) &&
    !isPostcode(party.land, party.plz.trim())
  )
    found.fehler(`${at}.plz`, `${at}_plz`, text.plz_form)
}

/** BR-DE-9: an XRechnung has a postcode of the buyer, also where the post has none. */
function checkPostcodeTerm(beleg: Beleg, found: Findings): void {
  const { land, plz } = beleg.empfaenger
  if (beleg.format === 'xrechnung' && isERechnung(beleg) && isBlank(plz) && isPostcode(land, ''))
    found.fehler(
      'empfaenger.plz',
      'empfaenger_plz_xrechnung',
      'Eine XRechnung braucht eine Postleitzahl des Empfängers. Sein Land hat keine: ' +
        'Bitte ZUGFeRD oder PDF wählen.',
    )
}

function checkUstId(at: 'lieferant' | 'empfaenger', id: string, found: Findings): void {
  if (isBlank(id)) return
  const fault = ustIdFault(id)
  if (fault !== null)
    found.fehler(
      `${at}.ust_id`,
      `${at}_ust_id_${fault}`,
      fault === 'pruefziffer'
        ? 'Die Prüfziffer der USt-IdNr. passt nicht. Bitte Ziffer für Ziffer vergleichen.'
        : 'Die USt-IdNr. hat nicht den Aufbau ihres Landes (in Deutschland DE und neun Ziffern). ' +
            'Bitte berichtigen.',
    )
}

function checkTaxNumbers(beleg: Beleg, found: Findings): void {
  const { steuernummer, ust_id } = beleg.lieferant
  // § 14 (4) Nr. 2 UStG is about invoices; without a VAT id the tax number must be one.
  const say = beleg.art === 'angebot' ? found.hint : found.fehler
  if (isBlank(steuernummer) && isBlank(ust_id))
    say(
      'lieferant.steuernummer',
      'lieferant_steuernummer_fehlt',
      `Steuernummer oder USt-IdNr. des eigenen Betriebs fehlt (§ 14 UStG). Bitte ${SETTING} eintragen.`,
    )
  if (!isBlank(steuernummer) && taxNumberFault(steuernummer) !== null)
    (isBlank(ust_id) ? say : found.hint)(
      'lieferant.steuernummer',
      'lieferant_steuernummer_form',
      'Die Steuernummer hat eine ungewöhnliche Form. Bitte mit dem letzten Bescheid vergleichen.',
    )
  // BR-O-2: such an e-invoice must not contain a VAT id, so only the tax number identifies the supplier.
  if (
    isERechnung(beleg) &&
    isBlank(steuernummer) &&
    !isBlank(ust_id) &&
    beleg.summen.steuern.some(({ kategorie }) => kategorie === 'O')
  )
    found.fehler(
      'lieferant.steuernummer',
      'nicht_steuerbar_steuernummer',
      `Für eine E-Rechnung über nicht steuerbare Leistungen fehlt die Steuernummer. Bitte ${SETTING} eintragen.`,
    )
  checkUstId('lieferant', ust_id, found)
}

/** BG-6: the public portals refuse an invoice without a contact. */
function checkContact(
  beleg: Beleg,
  { ansprechpartner, telefon, mail }: BelegLieferant,
  found: Findings,
): void {
  if (!isERechnung(beleg)) return
  const say = beleg.format === 'xrechnung' ? found.fehler : found.hint
  if (isBlank(ansprechpartner))
    say(
      'lieferant.ansprechpartner',
      'ansprechpartner_fehlt',
      `Für die E-Rechnung fehlt der Ansprechpartner. Bitte ${SETTING} eintragen.`,
    )
  if (isBlank(telefon))
    say(
      'lieferant.telefon',
      'telefon_fehlt',
      `Für die E-Rechnung fehlt die Telefonnummer. Bitte ${SETTING} eintragen.`,
    )
  else if (telefon.replaceAll(/\D/g, '').length < 3)
    say(
      'lieferant.telefon',
      'telefon_form',
      `Die Telefonnummer hat weniger als drei Ziffern. Bitte ${SETTING} berichtigen.`,
    )
  if (isBlank(mail))
    say(
      'lieferant.mail',
      'lieferant_mail_fehlt',
      `Für die E-Rechnung fehlt die E-Mail-Adresse des eigenen Betriebs. Bitte ${SETTING} eintragen.`,
    )
  else if (!isBelegMail(mail))
    say(
      'lieferant.mail',
      'lieferant_mail_form',
      `Die E-Mail-Adresse des eigenen Betriebs ist ungültig. Bitte ${SETTING} berichtigen.`,
    )
}

function checkAccount(beleg: Beleg, { iban, bic }: BelegLieferant, found: Findings): void {
  if (isBlank(iban)) {
    // BR-DE-1: XRechnung requires payment instructions, whatever amount is left to pay.
    const payable = parseDecimal(beleg.summen.zahlbetrag)
    if (beleg.format === 'xrechnung' && isERechnung(beleg))
      found.fehler(
        'lieferant.iban',
        'iban_fehlt',
        `Für XRechnung fehlt die IBAN des eigenen Betriebs. Bitte ${SETTING} eintragen.`,
      )
    else if (beleg.art !== 'angebot' && payable !== null && compare(payable, NULL) > 0)
      found.hint(
        'lieferant.iban',
        'iban_fehlt',
        `Ohne IBAN weiß der Empfänger nicht, wohin er überweisen soll. Bitte ${SETTING} eintragen.`,
      )
  } else if (ibanFault(iban) !== null)
    found.fehler(
      'lieferant.iban',
      `iban_${ibanFault(iban)}`,
      `Die IBAN des eigenen Betriebs stimmt nicht (${IBAN_WHAT[ibanFault(iban)!]}). Bitte ${SETTING} berichtigen.`,
    )
  if (!isBlank(bic) && !isBic(bic.trim()))
    found.fehler(
      'lieferant.bic',
      'bic_form',
      `Der BIC hat 8 oder 11 Zeichen. Bitte ${SETTING} berichtigen oder leer lassen.`,
    )
}
const IBAN_WHAT = {
  zeichen: 'falsche Zeichen',
  land: 'unbekanntes Land',
  laenge: 'falsche Länge',
  pruefziffer: 'die Prüfziffern passen nicht',
} as const

function checkBuyerRouting(beleg: Beleg, { leitweg_id, mail }: BelegRecipient, found: Findings): void {
  const xrechnung = beleg.format === 'xrechnung' && isERechnung(beleg)
  const leitweg = leitwegFault(leitweg_id)
  if (leitweg === 'leer') {
    // BT-10 is the Leitweg-ID or the reference that the buyer gives instead.
    if (xrechnung && isBlank(beleg.verweise?.kaeufer_ref ?? ''))
      found.fehler('empfaenger.leitweg_id', 'leitweg_fehlt', LEITWEG_TEXT.leer)
  } else if (leitweg !== null)
    (xrechnung ? found.fehler : found.hint)(
      'empfaenger.leitweg_id',
      `leitweg_${leitweg}`,
      LEITWEG_TEXT[leitweg],
    )
  if (!isBlank(mail)) {
    if (!isBelegMail(mail.trim()))
      found.fehler(
        'empfaenger.mail',
        'empfaenger_mail_form',
        `Die E-Mail-Adresse des Empfängers ist ungültig. Bitte ${AT_KUNDE} berichtigen.`,
      )
    // A public office can also be addressed by its Leitweg-ID.
  } else if (xrechnung && leitweg !== null)
    found.fehler(
      'empfaenger.mail',
      'empfaenger_mail_fehlt',
      `Für XRechnung fehlt die elektronische Adresse des Empfängers. Bitte die E-Mail-Adresse ${AT_KUNDE} eintragen.`,
    )
  else if (isERechnung(beleg))
    found.hint(
      'empfaenger.mail',
      'empfaenger_mail_fehlt',
      `Die E-Mail-Adresse des Empfängers fehlt; die Rechnung kann nicht gesendet werden. Bitte ${AT_KUNDE} eintragen.`,
    )
}

/**
 * Reverse charge: both sides are businesses with an id. § 14 (4) Nr. 9: private customers must be informed
 * how long they have to keep the invoice.
 */
function checkBuyerKind(beleg: Beleg, found: Findings): void {
  const { empfaenger, lieferant, summen } = beleg
  if (summen.steuern.some(({ kategorie }) => kategorie === 'AE')) {
    // § 14a (1) and (5) UStG are about invoices.
    const say = beleg.art === 'angebot' ? found.hint : found.fehler
    if (isBlank(lieferant.ust_id))
      say(
        'lieferant.ust_id',
        'reverse_charge_lieferant',
        `Für die Steuerschuldnerschaft des Empfängers fehlt Ihre eigene USt-IdNr. Bitte ${SETTING} eintragen.`,
      )
    if (isBlank(empfaenger.ust_id))
      say(
        'empfaenger.ust_id',
        'reverse_charge_empfaenger',
        `Für die Steuerschuldnerschaft des Empfängers fehlt dessen USt-IdNr. ` +
          `Bitte erfragen und ${AT_KUNDE} eintragen.`,
      )
    if (empfaenger.ist_privat)
      found.fehler(
        'empfaenger.ist_privat',
        'reverse_charge_privat',
        'Eine Privatperson kann die Steuer nicht schulden. ' +
          'Bitte die Steuerkategorie der Positionen oder die Angabe beim Kunden berichtigen.',
      )
  }
  if (isRetentionUntold(beleg))
    found.hint(
      'lieferant.aufbewahrung_text',
      'aufbewahrung',
      'Der Empfänger ist eine Privatperson: Zu Arbeiten an einem Grundstück gehört der Hinweis, ' +
        'dass er die Rechnung zwei Jahre aufbewahren muss (§ 14 Abs. 4 Nr. 9 UStG). ' +
        `Bitte ${SETTING} oder in den Schlusstext eintragen.`,
    )
}

/**
 * `smallAmount`: up to 250 € the recipient need not be named (§ 33 UStDV); an e-invoice names the recipient
 * regardless.
 */
export function checkParties(beleg: Beleg, smallAmount: boolean, found: Findings): void {
  checkAddress('lieferant', beleg.lieferant, found.fehler, found)
  checkTaxNumbers(beleg, found)
  checkContact(beleg, beleg.lieferant, found)
  checkAccount(beleg, beleg.lieferant, found)
  checkAddress(
    'empfaenger',
    beleg.empfaenger,
    smallAmount && !isERechnung(beleg) ? found.hint : found.fehler,
    found,
  )
  checkPostcodeTerm(beleg, found)
  checkUstId('empfaenger', beleg.empfaenger.ust_id, found)
  checkBuyerRouting(beleg, beleg.empfaenger, found)
  checkBuyerKind(beleg, found)
}
