// The document as it would be issued with the current input: both parties as the server knows them,
// everything else from the form. Checked and computed by the same rules as the issued one.
import type { Beleg, BelegPosition } from '#domain/beleg.ts'
import { addDays, daysBetween, isDay } from '#domain/day.ts'
import { computeBeleg, taxOf } from '#domain/rechnung.ts'
import { isBlankLine, positionValues, type TableRow } from './position/line.ts'
import type { DraftValues } from './draft-words.ts'
import { effectiveReferences } from './place-fields.ts'

function positionsOf(
  rows: readonly TableRow[],
  head: Pick<Beleg, 'ust_satz' | 'lieferant'>,
): BelegPosition[] {
  return rows
    .filter((row) => !isBlankLine(row))
    .map((row, at) => {
      const values = positionValues(row)
      const tax = taxOf(values, {
        ust_satz: head.ust_satz,
        kleinunternehmer: head.lieferant.kleinunternehmer,
      })
      const { angebot_position_id: _bills, ...printed } = values
      return {
        ...printed,
        id: String(row.id ?? ''),
        lfd_nr: at + 1,
        nr: '',
        betrag: '0.00',
        ust_satz: tax.satz,
        kategorie: tax.kategorie,
        steuergrund: tax.grund,
      }
    })
}

/** A day that the server counts from the document's date moves with it. */
function moved(last: string | null, base: Beleg, datum: string, days: number | null): string | null {
  if (last === null || !isDay(datum) || !isDay(base.datum)) return last
  return addDays(datum, days ?? daysBetween(base.datum, last))
}

/** `base`: the saved draft as the server sees it. */
export function belegOf(
  base: Beleg,
  { beleg, bestellnummer, verweise, anzahlung, zahlungsziel }: DraftValues,
  rows: readonly TableRow[],
): Beleg {
  const datum = beleg.datum ?? base.datum
  const head = {
    ...base,
    // Of a collected invoice: the day of collection, which counts from today.
    faellig: base.einzug === undefined ? moved(base.faellig, base, datum, zahlungsziel) : base.faellig,
    gueltig_bis: moved(base.gueltig_bis, base, datum, null),
    ...beleg,
  }
  const positions = positionsOf(rows, head)
  const computed = computeBeleg({
    positionen: positions,
    rabatt_prozent: head.rabatt_prozent,
    ust_satz: head.ust_satz,
    anzahlung,
    kleinunternehmer: head.lieferant.kleinunternehmer,
  })
  return {
    ...head,
    empfaenger: { ...base.empfaenger, bestellnummer: bestellnummer ?? base.empfaenger.bestellnummer },
    verweise: effectiveReferences(verweise, base.verweise),
    positionen: positions.map((position, at) => ({ ...position, ...computed.zeilen[at] })),
    summen: computed.summen,
  }
}
