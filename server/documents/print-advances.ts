// The advances that a final invoice takes off, as rows of a table: one for each rate, and what is left by rate
// (§ 14 (5) sentence 2 UStG).
import { restByRate } from '#domain/abschlag.ts'
import { receivedDays } from '#domain/abschlag-text.ts'
import type { Beleg, BelegAmount } from '#domain/beleg.ts'
import { add, decimal, negate } from '#domain/geld.ts'
import { setLine } from '#domain/typeset-text.ts'
import type { AdvanceRow, Advances } from './letter.ts'
import { amountText, percentText, tag } from './notation.ts'

const rowOf = (group: BelegAmount, turned: boolean, head: Partial<AdvanceRow> = {}): AdvanceRow => {
  const signed = (text: string) => (turned ? negate(decimal(text)) : decimal(text))
  const [net, tax] = [signed(group.basis), signed(group.steuer)]
  return {
    name: '',
    tag: '',
    erhalten: '',
    satz: group.kategorie === 'S' ? percentText(group.satz) : '–',
    netto: amountText(net),
    steuer: amountText(tax),
    brutto: amountText(add(net, tax)),
    ...head,
  }
}

export function abschlaege(beleg: Beleg): Advances | null {
  const { abschlaege: taken = [] } = beleg
  if (taken.length === 0) return null
  return {
    titel: 'Erhaltene Abschläge, die abgesetzt sind',
    zeilen: taken.flatMap((one) =>
      one.steuern.map((group, index) =>
        rowOf(
          group,
          true,
          index === 0 ? { name: setLine(one.nummer), tag: tag(one.datum), erhalten: receivedDays(one) } : {},
        ),
      ),
    ),
    rest: restByRate(beleg).map((group) => rowOf(group, false, { name: 'Es verbleiben' })),
  }
}
