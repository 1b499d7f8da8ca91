// What follows the lines on paper: sums, how to pay, statements required by law, and
// where an offer is signed.
import { isInvoiceKind } from '#domain/abschlag.ts'
import { advanceHint, BELEG_NAME } from '#domain/abschlag-text.ts'
import { retentionHint } from '#domain/retention.ts'
import type { Beleg, BelegEinzug, BelegTax } from '#domain/beleg.ts'
import { decimal, negate, sign } from '#domain/geld.ts'
import { giroCode } from '#domain/giro-code.ts'
import { maskIban } from '#domain/iban.ts'
import { isCounted } from '#domain/rechnung.ts'
import { setLine, setParagraphs } from '#domain/typeset-text.ts'
import { skontoTiers } from '#domain/skonto.ts'
import type { Paragraph, Sum, Zahlung } from './letter.ts'
import { qrSvg } from './giro.ts'
import { amountText, discountWords, euro, ibanGroups, percentText, tag } from './notation.ts'
import { interestNotes, interestSums } from './print-interest.ts'

const line = (name: string, wert: string, art: Sum['art'] = 'zeile'): Sum => ({ art, name, wert })
const isZero = (amount: string): boolean => sign(decimal(amount)) === 0
const withReason = (text: string, reason: string): string =>
  setLine(reason) === '' ? text : `${text} (${setLine(reason)})`

function taxLine({ kategorie, satz, basis, steuer }: BelegTax): Sum {
  const name = {
    S: `USt ${percentText(satz)} auf ${euro(basis)}`,
    E: `steuerfrei ${euro(basis)}, USt 0\u00A0%`,
    AE: `Empfänger schuldet USt auf ${euro(basis)}`,
    O: `nicht steuerbar ${euro(basis)}`,
  }[kategorie]
  return line(name, amountText(steuer))
}

function sumsOfReminder({ bezug, mahnung, summen: { zahlbetrag } }: Beleg): Sum[] {
  if (mahnung === undefined) return [line('Offener Betrag in €', amountText(zahlbetrag), 'ende')]
  const invoice =
    bezug === null
      ? 'Rechnungsbetrag'
      : `Rechnung ${setLine(bezug.nummer)} vom ${tag(bezug.datum)}, fällig am ${tag(mahnung.rechnung_faellig)}`
  return [
    line(invoice, amountText(mahnung.rechnung_betrag)),
    ...(isZero(mahnung.gezahlt)
      ? []
      : [line('Bereits gezahlt', amountText(negate(decimal(mahnung.gezahlt))))]),
    ...(isZero(mahnung.gebuehren_bisher ?? '0.00')
      ? []
      : [line('Bisherige Mahngebühren', amountText(mahnung.gebuehren_bisher ?? '0.00'))]),
    ...(isZero(mahnung.gebuehr) ? [] : [line('Mahngebühr', amountText(mahnung.gebuehr))]),
    ...interestSums(mahnung),
    ...(isZero(mahnung.kosten_gezahlt ?? '0.00')
      ? []
      : [line('Mahnkosten bereits gezahlt', amountText(negate(decimal(mahnung.kosten_gezahlt ?? '0.00'))))]),
    line('Offener Betrag in €', amountText(zahlbetrag), 'ende'),
  ]
}

export function sumsOf(beleg: Beleg): Sum[] {
  if (beleg.art === 'mahnung') return sumsOfReminder(beleg)
  const { positionen, rabatt, netto, brutto, anzahlung, zahlbetrag, steuern } = beleg.summen
  const discounted = !isZero(rabatt)
  const paid = !isZero(anzahlung)
  return [
    ...(discounted
      ? [
          line('Summe der Positionen', amountText(positionen)),
          line(
            withReason(discountWords(beleg.rabatt_prozent), beleg.rabatt_grund),
            amountText(negate(decimal(rabatt))),
          ),
        ]
      : []),
    ...(beleg.lieferant.kleinunternehmer
      ? []
      : [line('Nettobetrag', amountText(netto), discounted ? 'summe' : 'zeile'), ...steuern.map(taxLine)]),
    line('Gesamtbetrag in €', amountText(brutto), paid ? 'summe' : 'ende'),
    ...(paid
      ? [
          line(
            beleg.abschlaege === undefined ? 'Bereits gezahlt' : 'abzüglich erhaltener Abschläge',
            amountText(negate(decimal(anzahlung))),
          ),
          line('Zahlbetrag in €', amountText(zahlbetrag), 'ende'),
        ]
      : []),
  ]
}

/** For an amount to pay above zero: how, until when, and what early payment saves. */
function transfer(beleg: Beleg): Zahlung {
  const { lieferant, faellig, bezug } = beleg
  const amount = beleg.summen.zahlbetrag
  const purpose = setLine(beleg.art === 'mahnung' && bezug !== null ? bezug.nummer : beleg.nummer)
  const owner = setLine(lieferant.kontoinhaber === '' ? lieferant.name : lieferant.kontoinhaber)
  const { iban } = lieferant
  const code = beleg.entwurf
    ? null
    : giroCode({ name: owner, iban, bic: lieferant.bic, betrag: amount, zweck: purpose })
  return {
    saetze: [
      [
        `Bitte überweisen Sie ${euro(amount)}` +
          `${faellig === null ? '' : ` bis zum ${tag(faellig)}`}${iban === '' ? '' : ' auf dieses Konto'}.`,
      ],
      ...(beleg.art === 'mahnung' ? [] : skontoTiers(beleg)).map(
        ({ bis, prozent: percent, deduction, zahlbetrag: rest }): Paragraph => [
          `Bei Zahlung bis zum ${tag(bis)} gewähren wir ${percentText(percent)} Skonto: ` +
            `${euro(deduction)} Abzug, zu zahlen sind dann ${euro(rest)}.`,
        ],
      ),
    ],
    konto:
      iban === ''
        ? []
        : [
            ['Empfänger', owner],
            ['IBAN', ibanGroups(iban)],
            ...(lieferant.bic === '' ? [] : [['BIC', setLine(lieferant.bic)] as const]),
            ...(lieferant.bank === '' ? [] : [['Bank', setLine(lieferant.bank)] as const]),
            ...(purpose === '' ? [] : [['Verwendungszweck', purpose] as const]),
          ],
    giro:
      code === null
        ? null
        : {
            svg: qrSvg(code),
            alt: `GiroCode: ${euro(amount)} an ${owner}, IBAN ${ibanGroups(iban)}, ${purpose}`,
          },
  }
}

/** For an amount that we collect: when, from which account, by what. The account is masked. */
function debit(beleg: Beleg, { tag: day, iban, mandat, glaeubiger_id }: BelegEinzug): Zahlung {
  const tiers = skontoTiers(beleg)
  return {
    saetze: [
      [
        `Den Betrag von ${euro(beleg.summen.zahlbetrag)} ziehen wir am ${tag(day)} von Ihrem Konto ` +
          `${maskIban(iban)} ein.${tiers.length === 0 ? ' Bitte überweisen Sie ihn nicht.' : ''}`,
      ],
      ...tiers.map(
        ({ bis, prozent: percent, deduction, zahlbetrag: rest }): Paragraph => [
          `Möchten Sie ${percentText(percent)} Skonto nutzen, überweisen Sie stattdessen bis zum ${tag(bis)} ` +
            `${euro(rest)} (${euro(deduction)} Abzug).`,
        ],
      ),
    ],
    konto: [
      ['Mandat', setLine(mandat)],
      ['Gläubiger-ID', setLine(glaeubiger_id)],
    ],
    giro: null,
  }
}

const said = (...sentences: readonly string[]): Zahlung => ({
  saetze: sentences.map((sentence) => [sentence]),
  konto: [],
  giro: null,
})

export function zahlung(beleg: Beleg): Zahlung | null {
  const { art, bezug, gueltig_bis, summen: sums } = beleg
  if (art === 'angebot')
    return gueltig_bis === null
      ? null
      : said(`An dieses Angebot halten wir uns bis zum ${tag(gueltig_bis)} gebunden.`)
  if (art === 'storno') {
    return bezug === null
      ? null
      : said(
          `Diese Stornorechnung hebt die ${BELEG_NAME[bezug.art]} ${setLine(bezug.nummer)} ` +
            `vom ${tag(bezug.datum)} in voller Höhe auf.`,
        )
  }
  if (art === 'korrektur') {
    return bezug === null
      ? null
      : said(
          `Diese Rechnungskorrektur mindert die ${BELEG_NAME[bezug.art]} Nr. ${setLine(bezug.nummer)} ` +
            `vom ${tag(bezug.datum)} um ${euro(negate(decimal(sums.brutto)))}. ` +
            'Was Sie schon zu viel gezahlt haben, zahlen wir zurück.',
        )
  }
  const left = sign(decimal(sums.zahlbetrag))
  if (left > 0) return beleg.einzug === undefined ? transfer(beleg) : debit(beleg, beleg.einzug)
  if (left === 0) return said('Der Betrag ist vollständig beglichen, es ist nichts mehr zu zahlen.')
  return said(`Zu Ihren Gunsten verbleiben ${euro(negate(decimal(sums.zahlbetrag)))}.`)
}

/** Statements required by law, and what the reader should know about the e-invoice. */
export function hintsOf(beleg: Beleg): Paragraph[] {
  const {
    art,
    summen: { steuern },
    lieferant,
    format,
  } = beleg
  if (art === 'mahnung') return interestNotes(beleg)
  const alone = steuern.length === 1
  const reasons = steuern
    .filter(({ grund }) => setLine(grund) !== '')
    .map(({ basis, grund }): Paragraph => {
      if (alone || lieferant.kleinunternehmer) return [`${setLine(grund)}.`]
      return [`Ohne Umsatzsteuer über ${euro(basis)}: ${setLine(grund)}.`]
    })
  const invoice = isInvoiceKind(art)
  const keep = retentionHint(beleg)
  return [
    ...setParagraphs(advanceHint(beleg)),
    ...reasons,
    ...setParagraphs(keep),
    ...(invoice && format === 'xrechnung'
      ? [
          [
            'Diese Ansicht gibt eine elektronische Rechnung im Format XRechnung wieder. Maßgeblich ist die XML-Datei.',
          ],
        ]
      : []),
  ]
}

/** One line each, by the names that the e-invoice gives them. */
export function attachments({ anlagen = [] }: Beleg): Paragraph[] {
  const lines = anlagen.map(({ name, beschreibung }) =>
    [name, beschreibung]
      .map(setLine)
      .filter((text) => text !== '')
      .join(' – '),
  )
  if (lines.length === 0) return []
  return lines.length === 1 ? [[`Anlage: ${lines[0]}`]] : [['Anlagen:', ...lines]]
}

export function signatureOf({ art, positionen }: Beleg): { titel: string; wahl: string[] } | null {
  if (art !== 'angebot') return null
  return {
    titel: 'Auftrag erteilt',
    wahl: positionen
      .filter(
        (position) => (position.art === 'optional' || position.art === 'alternativ') && !isCounted(position),
      )
      .map(({ nr, bez, betrag: amount }) => `${setLine(nr)} ${setLine(bez)} (${euro(amount)} netto)`),
  }
}
