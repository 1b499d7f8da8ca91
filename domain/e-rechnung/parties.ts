// Seller and buyer of an invoice.
import type { Beleg, BelegLieferant } from '../beleg.ts'
import { attribute, block, leaf, lineOf, node } from './xml.ts'

export const isOutsideOfTax = ({ summen }: Beleg): boolean =>
  summen.steuern.some(({ kategorie }) => kategorie === 'O')

/**
 * Without a VAT number the supplier needs another identifier (BR-CO-26); outside the scope of tax, the VAT
 * number must not be given as one (BR-O-2).
 */
export function seller(lieferant: BelegLieferant, outside: boolean): string {
  const ustId = outside ? '' : identifier(lieferant.ust_id)
  return node(
    'ram:SellerTradeParty',
    ustId === ''
      ? leaf('ram:ID', lieferant.steuernummer) || leaf('ram:ID', identifier(lieferant.ust_id))
      : '',
    leaf('ram:Name', lieferant.name),
    block('ram:Description', lieferant.fusszeile),
    node(
      'ram:DefinedTradeContact',
      leaf('ram:PersonName', lieferant.ansprechpartner),
      node('ram:TelephoneUniversalCommunication', leaf('ram:CompleteNumber', lieferant.telefon)),
      node('ram:EmailURIUniversalCommunication', leaf('ram:URIID', lieferant.mail)),
    ),
    address(lieferant),
    endpoint(lieferant.mail),
    registration('VA', ustId),
    registration('FC', lieferant.steuernummer),
  )
}

export const buyer = (beleg: Beleg): string => {
  const { empfaenger } = beleg
  return node(
    'ram:BuyerTradeParty',
    leaf('ram:Name', empfaenger.name),
    address(empfaenger),
    endpoint(empfaenger.mail, empfaenger.leitweg_id),
    registration('VA', isOutsideOfTax(beleg) ? '' : identifier(empfaenger.ust_id)),
  )
}

export interface Address {
  readonly name_zusatz: string
  readonly strasse: string
  readonly plz: string
  readonly ort: string
  readonly land: string
}

/** The street comes first; what is empty leaves no gap. */
export function streetLines({ strasse, name_zusatz }: Address): readonly [string, string] {
  const [one = '', two = ''] = [strasse, name_zusatz].filter((text) => lineOf(text) !== '')
  return [one, two]
}

function address(of: Address): string {
  const { plz, ort, land } = of
  const [one, two] = streetLines(of)
  return node(
    'ram:PostalTradeAddress',
    leaf('ram:PostcodeCode', plz),
    leaf('ram:LineOne', one),
    leaf('ram:LineTwo', two),
    leaf('ram:CityName', ort),
    leaf('ram:CountryID', identifier(land)),
  )
}

/** EM is an e-mail address; 0204 is the Leitweg-ID, for a public office without an e-mail address. */
export const electronicAddress = (mail: string, leitwegId: string): readonly [scheme: string, id: string] =>
  lineOf(mail) === '' ? ['0204', leitwegId] : ['EM', mail]

function endpoint(mail: string, leitwegId = ''): string {
  const [scheme, id] = electronicAddress(mail, leitwegId)
  return node('ram:URIUniversalCommunication', leaf('ram:URIID', id, attribute('schemeID', scheme)))
}

const registration = (scheme: 'VA' | 'FC', id: string): string =>
  node('ram:SpecifiedTaxRegistration', leaf('ram:ID', id, attribute('schemeID', scheme)))

/** People write these with blanks: DE 123 456 789, DE02 1203 … */
export const identifier = (text: string): string => lineOf(text).replaceAll(' ', '').toUpperCase()
