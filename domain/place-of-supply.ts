// Place of supply: which tax a document may have by what the supply is about, where the recipient is and
// whether it is a business (§ 3a UStG). The supplier is in Germany. SQL has the same rule
// (books.place_categories); both are tested with place-of-supply.cases.json.
import type { TaxCategory } from './beleg.ts'
import { isEuCountry, readsGerman } from './countries.ts'
import type { Place } from './supply-place.ts'
import { taxArea } from './tax-area.ts'
import { isForeignEuId, normalizeUstId, ustIdFault } from './ust-id.ts'

export interface Supply {
  readonly leistungsort: Place
  /** Where land abroad is; otherwise null. */
  readonly leistungsland: string | null
  readonly empfaenger: {
    readonly land: string
    readonly plz: string
    readonly ist_privat: boolean
    readonly ust_id: string
  }
}

/** Taxed in Germany: the usual rate or exempt. */
const HERE: readonly TaxCategory[] = ['S', 'E']
/** Among Germans nothing is decided by the place: § 13b (2) UStG has its own cases, and not all is a supply. */
const DOMESTIC: readonly TaxCategory[] = ['S', 'E', 'AE', 'O']

/** A VAT id of any state of the EU, Germany included. */
const hasEuId = (ust_id: string): boolean =>
  isForeignEuId(ust_id) || (normalizeUstId(ust_id).startsWith('DE') && ustIdFault(ust_id) === null)

/**
 * The categories that the document may have, the usual one first. Reverse charge (AE) is that of the EU; what
 * is taxed outside of it, or by local law only, is outside the scope of German tax (O). K is for goods only.
 */
export function placeCategories({ leistungsort, leistungsland, empfaenger }: Supply): readonly TaxCategory[] {
  const { land, ist_privat, ust_id } = empfaenger
  switch (leistungsort) {
    case 'grundstueck_inland':
      // § 3a (3) Nr. 1: German tax, also for an owner abroad; § 13b (2) Nr. 4 is about building, not surveying.
      // The land of a German may be on Helgoland, which is not taxed here.
      return land === 'DE' ? DOMESTIC : HERE
    case 'grundstueck_ausland':
      // Art. 194 of Directive 2006/112/EC: the states may let a business owe the tax; else the supplier
      // registers there.
      if (ist_privat || !isEuCountry(leistungsland ?? '')) return ['O']
      return hasEuId(ust_id) ? ['AE', 'O'] : ['O']
    case 'kein_grundstueck': {
      const area = taxArea(empfaenger)
      if (area === 'inland') return DOMESTIC
      const inUnion = area === 'eu'
      // § 3a (1): private persons are taxed here; outside the EU not for advice and the like (§ 3a (4)).
      if (ist_privat) return inUnion ? HERE : [...HERE, 'O']
      // § 3a (2): where the business is. In the EU its VAT id shows that it is one (§ 3a.2 (9) UStAE).
      if (isForeignEuId(ust_id)) return inUnion ? ['AE'] : ['O', 'AE']
      return inUnion ? HERE : ['O']
    }
  }
}

const ABROAD: Readonly<Record<Exclude<Place, 'grundstueck_inland'>, string>> = {
  grundstueck_ausland: 'Im Inland nicht steuerbar: Grundstück im Ausland (§ 3a Abs. 3 Nr. 1 UStG)',
  kein_grundstueck: 'Im Inland nicht steuerbar (§ 3a Abs. 2 UStG)',
}

/**
 * The reason that is printed and sent (BT-120): the words that § 14a (1) and (5) UStG require, and English ones
 * where German is not read. Empty where tax is stated.
 */
export function placeReason({ leistungsort, empfaenger }: Supply, category: TaxCategory): string {
  const english = !readsGerman(empfaenger.land)
  if (category === 'AE')
    return `Steuerschuldnerschaft des Leistungsempfängers${english ? ' (reverse charge)' : ''}`
  if (category !== 'O' || leistungsort === 'grundstueck_inland') return ''
  const text =
    leistungsort === 'kein_grundstueck' && empfaenger.ist_privat
      ? 'Im Inland nicht steuerbar (§ 3a Abs. 4 UStG)'
      : ABROAD[leistungsort]
  return english ? `${text} (not subject to German VAT)` : text
}
