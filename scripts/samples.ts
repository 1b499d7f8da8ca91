// npm run samples: one document and one mail of each kind into build/samples, for people to look at and for
// the official validators of documents.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Beleg } from '#domain/beleg.ts'
import * as belege from '../server/documents/beleg.fixture.ts'
import { BARE, pdfFile, xmlFile } from '../server/documents/document.ts'
import { createRenderer } from '../server/documents/renderer.ts'
import { sampleMails } from '../test/sample-mails.ts'

const FOLDER = join(import.meta.dirname, '../build/samples')

const SAMPLES: Readonly<Record<string, Beleg>> = {
  angebot: belege.angebot(),
  'rechnung-zugferd-drei-steuersaetze': belege.threeRates(),
  'storno-zugferd': belege.storno(),
  'korrektur-zugferd': belege.korrektur(),
  'xrechnung-ansicht': belege.xrechnung(),
  'rechnung-zugferd-200-positionen': belege.manyPositions(),
  'rechnung-privatperson': belege.privatePerson(),
  'rechnung-kleinunternehmer': belege.smallBusiness(),
  zahlungserinnerung: belege.mahnung(),
  entwurf: belege.draftBeleg(),
}

rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const renderer = createRenderer()
for (const [name, beleg] of Object.entries(SAMPLES)) {
  const xml = xmlFile(beleg, BARE)
  const pdf = await pdfFile(renderer, beleg, BARE)
  writeFileSync(join(FOLDER, `${name}.pdf`), pdf.inhalt)
  if (xml !== null) writeFileSync(join(FOLDER, `${name}.xml`), xml.inhalt)
  console.log(`${name.padEnd(38)}${String(pdf.inhalt.length).padStart(8)} bytes  ${pdf.regelwerk}`)
}
await renderer.close()

const mails = { ...sampleMails('de'), ...sampleMails('en') }
mkdirSync(join(FOLDER, 'mails'))
for (const [name, { subject, text, html }] of Object.entries(mails)) {
  writeFileSync(join(FOLDER, 'mails', `${name}.html`), html)
  writeFileSync(join(FOLDER, 'mails', `${name}.txt`), `${subject}\n\n${text}`)
}
console.log(`${Object.keys(mails).length} mails as HTML and as text in ${join(FOLDER, 'mails')}`)
