// The company that issues the documents of the journeys.
export const LIEFERANT = {
  name: 'Waldvermessung Muster GmbH',
  strasse: 'Forstweg 1',
  plz: '37073',
  ort: 'Göttingen',
  steuernummer: '20/123/12340',
  ust_id: 'DE136695976',
  ansprechpartner: 'Erika Muster',
  telefon: '0551 123456',
  mail: 'rechnung@muster.example',
  bank: 'Musterbank',
  iban: 'DE02120300000000202051',
  bic: 'BYLADEM1001',
}
