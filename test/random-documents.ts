// Random documents, the same for the same seed: discounts, four categories, negative lines, optional and
// alternative ones, headings, small businesses.
import type { Beleg, BelegPosition } from '#domain/beleg.ts'
import {
  computeBeleg,
  REASON_SMALL_BUSINESS,
  type BelegBasis,
  type PositionBasis,
  taxOf,
} from '#domain/rechnung.ts'

type RandomPosition = PositionBasis & { readonly einheit: string }
export interface RandomDocument extends BelegBasis {
  readonly positionen: RandomPosition[]
}

export function* randomDocuments(count: number, seed = 7): Generator<RandomDocument> {
  let state = seed
  const next = (most: number) => {
    state = (state * 48271) % 2147483647
    return state % most
  }
  const pick = <T>(list: readonly T[]) => list[next(list.length)]!
  for (let nr = 0; nr < count; nr++)
    yield {
      rabatt_prozent: pick(['0', '0', '3.00', '12.50', '33.33', '100', '-7.50']),
      ust_satz: pick(['19.00', '7.00', '0.00']),
      anzahlung: pick(['0', '10.05']),
      kleinunternehmer: next(12) === 0,
      positionen: Array.from({ length: next(9) }, () => ({
        art: pick(['position', 'position', 'position', 'optional', 'alternativ', 'ueberschrift'] as const),
        einheit: pick(['h', 'Stück', 'km']),
        anzahl: `${pick(['', '', '-'])}${next(2000)}.${String(next(1000)).padStart(3, '0')}`,
        ep: `${next(9000)}.${String(next(10_000)).padStart(4, '0')}`,
        rabatt_prozent: pick(['0', '0', '2.50', '100', '7.77', '-12.50']),
        ust_satz: pick([null, null, '19.00', '7.00', '0.00']),
        kategorie: pick([null, null, null, 'S', 'E', 'AE', 'O'] as const),
        steuergrund: pick(['', 'Grund A', 'Grund B']),
        gewaehlt: pick([true, false]),
      })),
    }
}

/** As it would be issued; `like` provides the parties and the texts. */
export function belegOfDocument(document: RandomDocument, like: Beleg, documentNumber: string): Beleg {
  const { summen, zeilen } = computeBeleg(document)
  const head = { ust_satz: document.ust_satz, kleinunternehmer: document.kleinunternehmer }
  const positions = document.positionen.map((position, at): BelegPosition => {
    const tax = taxOf(position, head)
    return {
      ...position,
      id: String(at + 1),
      lfd_nr: at + 1,
      bez: `Leistung ${at + 1}`,
      erl: '',
      erl_titel: '',
      erl_on: false,
      le_date: null,
      le_date_bis: null,
      ust_satz: tax.satz,
      kategorie: tax.kategorie,
      steuergrund: document.kleinunternehmer ? REASON_SMALL_BUSINESS : tax.grund,
      gewaehlt: position.gewaehlt ?? false,
      ...zeilen[at]!,
    }
  })
  return {
    ...like,
    nummer: documentNumber,
    ust_satz: document.ust_satz,
    rabatt_prozent: document.rabatt_prozent,
    rabatt_grund: 'Rahmenvertrag',
    lieferant: { ...like.lieferant, kleinunternehmer: document.kleinunternehmer },
    skonto: [],
    positionen: positions,
    summen,
  }
}
