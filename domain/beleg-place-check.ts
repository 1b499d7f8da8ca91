// Check of the tax against the place of supply (place-of-supply.ts): German tax where it is due, none where it is
// not. § 14c (1) UStG: who states a tax that is not due owes it.
import type { Beleg, BelegPosition } from './beleg.ts'
import type { Findings } from './beleg-fault.ts'
import { isCountry } from './countries.ts'
import { placeCategories } from './place-of-supply.ts'
import { isCounted } from './rechnung.ts'
import { taxArea, territoryOf } from './tax-area.ts'
import { isForeignEuId } from './ust-id.ts'

/** As the editor of the lines calls them. */
const AE = '„Empfänger schuldet die Steuer“'
const O = '„Nicht steuerbar“'

/** False if it is not known where the land is. */
function checkCountry(supplyCountry: string | null, found: Findings): boolean {
  const say = (code: string, text: string): false => {
    found.fehler('leistungsland', code, text)
    return false
  }
  if (supplyCountry === null || supplyCountry === '')
    return say('leistungsland_fehlt', 'Bitte das Land auswählen, in dem das Grundstück liegt.')
  if (supplyCountry === 'DE')
    return say(
      'leistungsland_inland',
      'Das Grundstück liegt in Deutschland. Bitte „Grundstück in Deutschland“ wählen.',
    )
  if (!isCountry(supplyCountry))
    return say('leistungsland_unbekannt', 'Dieses Land gibt es nicht. Bitte ein Land der Liste wählen.')
  found.hint(
    'leistungsland',
    'ort_registrierung',
    'Arbeiten an Grundstücken werden dort versteuert, wo das Grundstück liegt. Dort kann eine Registrierung ' +
      'nötig sein. Bitte mit der Steuerberatung klären.',
  )
  return true
}

function checkLine(
  { kategorie, nr, steuergrund }: BelegPosition,
  at: string,
  allowed: readonly string[],
  found: Findings,
): void {
  if (allowed.includes(kategorie)) return
  const say = (code: string, text: string): void =>
    found.fehler(`${at}.kategorie`, code, `Position ${nr}: ${text}`)
  if (allowed.includes('S'))
    return say(
      'ort_inland',
      'Diese Leistung wird in Deutschland versteuert (§ 3a UStG), obwohl der Kunde im Ausland ist. ' +
        'Bitte den deutschen Steuersatz eintragen.',
    )
  if (kategorie === 'AE')
    return say(
      'ort_nicht_steuerbar',
      `Die Steuerschuld geht hier nicht nach deutschem Muster über (§ 3a UStG). Bitte ${O} wählen.`,
    )
  if (kategorie === 'E' && /§\s*4\s*Nr\.\s*1\b/.test(steuergrund))
    return say(
      'ort_ausland',
      'Das ist der Grund einer Warenlieferung ins Ausland (§ 4 Nr. 1 UStG). Forstkontor berechnet dort nur ' +
        'Leistungen. Bitte schreiben Sie diese Rechnung mit der Steuerberatung.',
    )
  say(
    'ort_ausland',
    'Diese Leistung wird nicht in Deutschland versteuert (§ 3a UStG). ' +
      `Bitte ${allowed[0] === 'AE' ? AE : O} wählen.`,
  )
}

/** A customer abroad, a supply that is not about land, and German tax: right, unless something is missing. */
function hintHere({ empfaenger }: Beleg, found: Findings): void {
  const area = taxArea(empfaenger)
  if (area === 'inland') return
  if (empfaenger.ist_privat && area === 'drittland')
    found.hint(
      'leistungsort',
      'ort_drittland_privat',
      'Beratung, Gutachten und Datenverarbeitung für Privatpersonen außerhalb der EU sind hier nicht steuerbar ' +
        `(§ 3a Abs. 4 UStG); dann bitte ${O} wählen.`,
    )
  else if (!empfaenger.ist_privat && !isForeignEuId(empfaenger.ust_id))
    found.hint(
      'empfaenger.ust_id',
      'ort_ust_id',
      'Ohne USt-IdNr. eines anderen EU-Staats wird der Kunde wie eine Privatperson mit deutscher Steuer berechnet. ' +
        'Wenn er ein Unternehmen ist, bitte die USt-IdNr. erfragen und beim Kunden eintragen.',
    )
}

/** Who looks at the country alone would wonder about the tax. */
function hintTerritory({ empfaenger }: Beleg, found: Findings): void {
  const name = territoryOf(empfaenger)
  if (name !== null)
    found.hint(
      'empfaenger.plz',
      'ort_sondergebiet',
      `Nach der Postleitzahl ist der Kunde in einem Sondergebiet (${name}). Für die Umsatzsteuer zählt es nicht zur ` +
        'EU (§ 1 Abs. 2 und 2a UStG), die Leistung wird also wie eine in ein Drittland berechnet.',
    )
}

export function checkPlace(beleg: Beleg, found: Findings): void {
  const { lieferant, empfaenger, leistungsort = null, leistungsland = null, art } = beleg
  if (art === 'storno' || art === 'korrektur' || art === 'mahnung') return
  if (lieferant.land !== 'DE' || lieferant.kleinunternehmer) return
  if (leistungsort === null) {
    if (taxArea(empfaenger) !== 'inland' && isCountry(empfaenger.land))
      (art === 'angebot' ? found.hint : found.fehler)(
        'leistungsort',
        'leistungsort_fehlt',
        empfaenger.land === 'DE'
          ? `${territoryOf(empfaenger)} zählt für die Umsatzsteuer nicht zum Inland (§ 1 Abs. 2 UStG). ` +
              'Bitte wählen, ob es um ein Grundstück geht und wo es liegt: Danach richtet sich die Umsatzsteuer.'
          : 'Der Kunde ist im Ausland. Bitte wählen, ob es um ein Grundstück geht und wo es liegt: ' +
              'Danach richtet sich die Umsatzsteuer (§ 3a UStG).',
      )
    return
  }
  if (leistungsort === 'grundstueck_ausland' && !checkCountry(leistungsland, found)) return
  const allowed = placeCategories({ leistungsort, leistungsland, empfaenger })
  for (const [index, position] of beleg.positionen.entries())
    if (isCounted(position)) checkLine(position, `positionen.${index}`, allowed, found)
  if (leistungsort !== 'kein_grundstueck') return
  hintTerritory(beleg, found)
  if (allowed.includes('S')) hintHere(beleg, found)
}
