// The company and its customers: at home, in the European Union, outside of it; businesses and private persons.
import type { CustomerFact, YearFacts } from './facts.ts'
import type { Office } from './office.ts'
import { LIEFERANT } from '../lieferant.ts'

export const BASE_RATES: YearFacts['base_rates'] = [
  { from: '2026-01-01', rate: '1.27' },
  { from: '2026-07-01', rate: '1.52' },
]
/** Chart of accounts 03. */
export const ACCOUNTS: YearFacts['accounts'] = {
  revenue: {
    'S 19': '8400',
    'S 7': '8300',
    'E 0': '8100',
    'AE 0': '8337',
    'O 0': '8338',
  },
  cash_discount: { 'S 19': '8736', 'S 7': '8731', 'E 0': '8730', 'AE 0': '8732', 'O 0': '8733' },
  advances: { 'S 19': '1718', 'S 7': '1711' },
  bank: '1200',
}
const asSettings = (accounts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(accounts).map(([key, account]) => [`${key}.00`, account]))

type Address = Pick<CustomerFact, 'name' | 'country' | 'vat_id' | 'private' | 'land'> & {
  readonly plz: string
  readonly ort: string
}
const CUSTOMERS: readonly Address[] = [
  {
    name: 'Forstgut Eiche GmbH',
    country: 'DE',
    vat_id: '',
    private: false,
    land: null,
    plz: '37073',
    ort: 'Göttingen',
  },
  {
    name: 'Waldgemeinschaft Buche eG',
    country: 'DE',
    vat_id: '',
    private: false,
    land: null,
    plz: '34117',
    ort: 'Kassel',
  },
  { name: 'Karla Kiefer', country: 'DE', vat_id: '', private: true, land: null, plz: '99084', ort: 'Erfurt' },
  {
    name: 'Stadtforst Ahornhausen',
    country: 'DE',
    vat_id: '',
    private: false,
    land: null,
    plz: '30159',
    ort: 'Hannover',
  },
  {
    name: 'Lärchenhof KG',
    country: 'DE',
    vat_id: '',
    private: false,
    land: null,
    plz: '01067',
    ort: 'Dresden',
  },
  {
    name: 'Donauwald AG',
    country: 'AT',
    vat_id: 'ATU13585627',
    private: false,
    land: null,
    plz: '1010',
    ort: 'Wien',
  },
  {
    name: 'Alpenforst GmbH',
    country: 'AT',
    vat_id: 'ATU13585627',
    private: false,
    land: 'DE',
    plz: '6020',
    ort: 'Innsbruck',
  },
  {
    name: 'Steirische Wälder GmbH',
    country: 'AT',
    vat_id: 'ATU13585627',
    private: false,
    land: 'AT',
    plz: '8010',
    ort: 'Graz',
  },
  { name: 'Arvenwald AG', country: 'CH', vat_id: '', private: false, land: null, plz: '3011', ort: 'Bern' },
  { name: 'Urs Ulme', country: 'CH', vat_id: '', private: true, land: 'DE', plz: '8001', ort: 'Zürich' },
]
/** Pays by direct debit. */
export const DEBITED = 'Lärchenhof KG'
/** Is granted cash discounts. */
export const GRANTED: ReadonlySet<string> = new Set([
  'Forstgut Eiche GmbH',
  'Alpenforst GmbH',
  'Stadtforst Ahornhausen',
])

export async function openBooks(office: Office): Promise<CustomerFact[]> {
  await office.ask('/rest/rpc/a_set_lieferant', {
    werte: {
      ...LIEFERANT,
      besteuerung: 'soll',
      zahlungsziel: 14,
      skonto: [],
      mahngebuehren: ['0.00', '5.00', '10.00'],
      mahn_frist: 10,
      mahn_kulanz: 3,
      basiszins: BASE_RATES.map(({ from, rate }) => ({
        ab: from,
        satz: rate,
        quelle: 'Deutsche Bundesbank',
      })),
      glaeubiger_id: 'DE98ZZZ09999999999',
      datev_berater: '29098',
      datev_mandant: '417',
      datev_rahmen: '03',
      datev_debitor_von: 20_000,
      datev_bankkonto: ACCOUNTS.bank,
      datev_erloeskonten: asSettings(ACCOUNTS.revenue),
      datev_skontokonten: asSettings(ACCOUNTS.cash_discount),
      datev_anzahlungskonten: asSettings(ACCOUNTS.advances),
    },
  })
  const made: CustomerFact[] = []
  for (const [at, { plz, ort, ...customer }] of CUSTOMERS.entries()) {
    const { name, country, vat_id, land } = customer
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that their numbers follow
    await office.ask('/rest/kunde', { name, land: country, strasse: 'Waldweg 1', plz, ort })
    const found = // oxlint-disable-next-line no-await-in-loop -- as above
      await office.ask<{ client_id: number }[]>(
        `/rest/kunde?select=client_id&name=eq.${encodeURIComponent(name)}`,
      )
    const id = found[0]!.client_id
    const debtor = String(10_100 + at)
    // oxlint-disable-next-line no-await-in-loop -- as above
    await office.ask('/rest/rpc/a_set_kunde_rechnung', {
      client_id: id,
      werte: {
        ust_id: vat_id,
        ist_privat: customer.private,
        debitor: debtor,
        ...(country !== 'DE' && {
          leistungsort:
            land === null ? 'kein_grundstueck' : land === 'DE' ? 'grundstueck_inland' : 'grundstueck_ausland',
          ...(land !== null && land !== 'DE' && { leistungsland: land }),
        }),
      },
    })
    made.push({ id, ...customer, debtor, collected: name === DEBITED })
  }
  return made
}
