// The document as it would be issued with the current input: both parties as the server knows them,
// everything else from the form. Checked and computed by the same rules as the issued one.
import type { Beleg, BelegPosition } from '#domain/beleg.ts'
import type { BelegFault } from '#domain/beleg-fault.ts'
import { belegFaults } from '#domain/beleg-check.ts'
import { computeBeleg, taxOf } from '#domain/rechnung.ts'
import { isBlankLine, positionValues, type TableRow } from './position/line.ts'
import type { DraftValues } from './draft-words.ts'

function positionsOf(
  zeilen: readonly TableRow[],
  kopf: Pick<Beleg, 'ust_satz' | 'lieferant'>,
): BelegPosition[] {
  return zeilen
    .filter((zeile) => !isBlankLine(zeile))
    .map((zeile, at) => {
      const werte = positionValues(zeile)
      const tax = taxOf(werte, { ust_satz: kopf.ust_satz, kleinunternehmer: kopf.lieferant.kleinunternehmer })
      const { angebot_position_id: _bills, ...printed } = werte
      return {
        ...printed,
        id: String(zeile.id ?? ''),
        lfd_nr: at + 1,
        nr: '',
        betrag: '0.00',
        ust_satz: tax.satz,
        kategorie: tax.kategorie,
        steuergrund: tax.grund,
      }
    })
}

/** `base`: the saved draft as the server sees it. */
export function belegOf(
  base: Beleg,
  { beleg, bestellnummer, anzahlung }: DraftValues,
  zeilen: readonly TableRow[],
): Beleg {
  const kopf = { ...base, ...beleg }
  const positionen = positionsOf(zeilen, kopf)
  const computed = computeBeleg({
    positionen,
    rabatt_prozent: kopf.rabatt_prozent,
    ust_satz: kopf.ust_satz,
    anzahlung,
    kleinunternehmer: kopf.lieferant.kleinunternehmer,
  })
  return {
    ...kopf,
    empfaenger: { ...base.empfaenger, bestellnummer: bestellnummer ?? base.empfaenger.bestellnummer },
    positionen: positionen.map((position, at) => ({ ...position, ...computed.zeilen[at] })),
    summen: computed.summen,
  }
}

const UNFILLED = /\{(?:name|nummer|datum|faellig|betrag)\}/
export interface PreviewWords {
  readonly platzhalter: (name: string) => string
  readonly optional: (nr: string) => string
}
/**
 * Adds two faults that only drafts have: a placeholder nobody filled in would be printed literally, and an
 * invoice must not contain optional lines.
 */
export function previewFaults(beleg: Beleg, heute: string, wording: PreviewWords): BelegFault[] {
  const left = (['anrede', 'anschreiben', 'zuerl'] as const).flatMap((feld): BelegFault[] => {
    const found = UNFILLED.exec(beleg[feld])?.[0]
    return found === undefined
      ? []
      : [{ feld, code: 'platzhalter_offen', text: wording.platzhalter(found), severity: 'fehler' }]
  })
  const open = beleg.positionen.flatMap(({ art, nr }, at): BelegFault[] =>
    beleg.art === 'rechnung' && (art === 'optional' || art === 'alternativ')
      ? [
          {
            feld: `positionen.${at}.art`,
            code: 'beleg_optional',
            text: wording.optional(nr),
            severity: 'fehler',
          },
        ]
      : [],
  )
  return [...left, ...open, ...belegFaults(beleg, heute)]
}
