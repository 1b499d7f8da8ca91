// The Storno as the database makes it, for tests and samples.
import type { Beleg, BelegAbschlag, BelegPosition, BelegSums, BelegTax } from './beleg.ts'
import { decimal, formatCents, negate, negateText } from './geld.ts'
export const negateAbschlag = (abschlag: BelegAbschlag): BelegAbschlag => ({
  ...abschlag,
  brutto: negateText(abschlag.brutto),
  gezahlt: negateText(abschlag.gezahlt),
  netto: negateText(abschlag.netto),
  steuer: negateText(abschlag.steuer),
  zahlungen: abschlag.zahlungen.map(({ datum, betrag }) => ({
    datum,
    betrag: formatCents(negate(decimal(betrag))),
  })),
  steuern: abschlag.steuern.map((group) => ({
    ...group,
    basis: negateText(group.basis),
    steuer: negateText(group.steuer),
  })),
})

const negateTax = (tax: BelegTax): BelegTax => ({
  ...tax,
  positionen: negateText(tax.positionen),
  rabatt: negateText(tax.rabatt),
  basis: negateText(tax.basis),
  steuer: negateText(tax.steuer),
})

export const negateSums = (sums: BelegSums): BelegSums => ({
  positionen: negateText(sums.positionen),
  rabatt: negateText(sums.rabatt),
  netto: negateText(sums.netto),
  steuer: negateText(sums.steuer),
  brutto: negateText(sums.brutto),
  anzahlung: negateText(sums.anzahlung),
  zahlbetrag: negateText(sums.zahlbetrag),
  steuern: sums.steuern.map(negateTax),
})

/** Negates quantities and keeps prices, because the rules of the e-invoice refuse a negative price. */
const negatePosition = (position: BelegPosition): BelegPosition => ({
  ...position,
  anzahl: position.art === 'ueberschrift' ? position.anzahl : negateText(position.anzahl),
  betrag: negateText(position.betrag),
})

/**
 * The Storno of an issued invoice: its stored amounts negated, not recomputed. Number and date are assigned
 * when it is issued.
 */
export const negateBeleg = ({ anlagen: _attached, einzug: _none, ...beleg }: Beleg): Beleg => ({
  ...beleg,
  art: 'storno',
  id: '',
  nummer: '',
  entwurf: true,
  faellig: null,
  skonto: [],
  positionen: beleg.positionen.map(negatePosition),
  summen: negateSums(beleg.summen),
  ...(beleg.abschlaege && { abschlaege: beleg.abschlaege.map(negateAbschlag) }),
  bezug: { art: beleg.art, nummer: beleg.nummer, datum: beleg.datum },
})
