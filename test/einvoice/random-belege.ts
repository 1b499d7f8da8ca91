// Random invoices, for cases that no one thinks of. Their texts are arbitrary; `issuableBelege` are those
// that the check before issuing accepts.
import fc from 'fast-check'
import type { Beleg } from '#domain/beleg.ts'
import { belegFaults, isIssuable } from '#domain/beleg-check.ts'
import { negateText } from '#domain/geld.ts'
import { ABROAD, EINZUG, type Head, makeBeleg, makeStorno, type TableRow } from './belege.ts'

/** A decimal text with at most `digits` digits, `places` of them after the point. */
const decimal = (digits: number, places: number): fc.Arbitrary<string> =>
  fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }).map((value) => {
    const text = value.toString().padStart(places + 1, '0')
    return `${text.slice(0, -places)}.${text.slice(-places)}`
  })
const percent = fc.oneof(
  fc.constant('0.00'),
  decimal(4, 2),
  fc.constant('100.00'),
  decimal(4, 2).map(negateText),
)
const anyText = fc.string({ unit: 'binary', maxLength: 12 })
const readable = fc
  .string({ unit: fc.constantFrom(...'aÄß &<>"\'#;]%.-1€'), minLength: 1, maxLength: 20 })
  .map((text) => `x${text}`)
const day = fc.integer({ min: 1, max: 20 }).map((value) => `2026-10-${String(value).padStart(2, '0')}`)

const line = (text: fc.Arbitrary<string>): fc.Arbitrary<TableRow> =>
  fc
    .record({
      art: fc.constantFrom('position', 'position', 'position', 'optional', 'ueberschrift'),
      bez: text,
      erl: text,
      einheit: fc.constantFrom('ha', 'Std', 'psch', 'Kiste'),
      anzahl: fc.oneof(decimal(7, 3), decimal(9, 3)),
      ep: fc.oneof(decimal(7, 4), decimal(9, 4)),
      rabatt_prozent: percent,
      ust_satz: fc.constantFrom('19.00', '7.00', '0.00', null),
      steuergrund: fc.constantFrom('Steuerfrei nach § 4 Nr. 21 UStG', 'Steuerfrei nach § 4 Nr. 14 UStG'),
      gewaehlt: fc.boolean(),
      le_date: fc.option(day),
    })
    .map(({ steuergrund, ...row }) => ({ ...row, steuergrund: row.ust_satz === '0.00' ? steuergrund : '' }))

/** Where the customer and the supply are, and the tax of all lines; without: at home, by each line. */
const CASES: readonly { readonly head: Head; readonly tax?: TableRow }[] = [
  { head: {} },
  { head: {} },
  { head: { empfaenger: ABROAD.AT, leistungsort: 'grundstueck_inland' } },
  {
    head: { empfaenger: ABROAD.FR, leistungsort: 'kein_grundstueck' },
    tax: { kategorie: 'AE', steuergrund: '' },
  },
  {
    head: { empfaenger: ABROAD.CH, leistungsort: 'kein_grundstueck' },
    tax: { kategorie: 'O', steuergrund: 'Im Inland nicht steuerbar (§ 3a Abs. 2 UStG)' },
  },
  { head: { empfaenger: { ...ABROAD.CH, ist_privat: true }, leistungsort: 'grundstueck_inland' } },
]

const beleg = (text: fc.Arbitrary<string>): fc.Arbitrary<Beleg> =>
  fc
    .record({
      zeilen: fc.array(line(text), { maxLength: 8 }),
      rabatt_prozent: percent,
      anzahlung: fc.oneof(fc.constant('0.00'), decimal(8, 2)),
      kleinunternehmer: fc.boolean(),
      storno: fc.boolean(),
      bis: fc.option(day),
      anschreiben: text,
      skonto: fc.constantFrom([], [{ tage: 10, prozent: '2.00' }]),
      einzug: fc.option(fc.constant(EINZUG), { nil: undefined }),
      where: fc.constantFrom(...CASES),
      verweise: fc.record({
        kaeufer_ref: text,
        projekt_nr: text,
        vertrag_nr: text,
        vergabe_nr: text,
        objekt_nr: text,
      }),
    })
    .map(({ zeilen, kleinunternehmer, storno, bis, where: { head, tax = {} }, einzug, ...headFields }) => {
      const lines = [{ bez: 'Vermessung', anzahl: '1', ep: '1.00' }, ...zeilen]
      const taxed = lines.map((row) => ({ ...row, ...tax, ...(tax.kategorie && { ust_satz: null }) }))
      const made = makeBeleg(taxed, {
        ...headFields,
        ...(einzug && { einzug, faellig: einzug.tag }),
        ...head,
        le_date: '2026-10-01',
        le_date_bis: bis,
        rabatt_grund: 'Gutschein',
        lieferant: { kleinunternehmer },
      })
      return storno ? makeStorno(made) : made
    })

export const randomBeleg = beleg(anyText)

/** The same ones in every run; add any that fail to belege.ts. */
export const issuableBelege = (count: number): Beleg[] =>
  fc
    .sample(beleg(readable), { seed: 20261121, numRuns: 4 * count })
    .filter((one) => isIssuable(belegFaults(one, one.datum)))
    .slice(0, count)
