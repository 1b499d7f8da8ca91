// The sample invoices of `ust-reckoning.ts` as rows: drafts with their lines first, because the lines of an
// issued invoice are fixed.
import { groupsOf, grossOf, type SampleInvoice, sourceOf } from './ust-reckoning.ts'
import * as w from './world.ts'

const euros = (cents: bigint): string => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The document that was issued, or its Storno. */
function documentOf(invoice: SampleInvoice, of: { id: number; day: string }, factor: bigint): string {
  const { id, supplied, lines, eu, ort } = invoice
  const json = {
    nummer: `U-${of.id}`,
    datum: of.day,
    le_date: supplied,
    le_date_bis: null,
    ...(ort !== null && { leistungsort: ort }),
    empfaenger: { name: `Kunde ${id}`, land: eu ? 'AT' : 'CH', ust_id: eu ? 'ATU13585627' : '' },
    lieferant: { kleinunternehmer: false },
    positionen: lines.map(({ kategorie, satz, cents, day }) => ({
      art: 'position',
      kategorie,
      ust_satz: satz.toFixed(2),
      betrag: euros(factor * cents),
      le_date: day,
      le_date_bis: null,
    })),
    summen: {
      steuern: groupsOf(invoice).map(({ kategorie, satz, base, tax }) => ({
        kategorie,
        satz: satz.toFixed(2),
        grund: '',
        basis: euros(factor * base),
        steuer: euros(factor * tax),
      })),
    },
  }
  return `'${JSON.stringify(json).replaceAll("'", "''")}'::jsonb`
}

/** A correction: its lines are those that are taken back. */
function correctionRows(invoice: SampleInvoice): string[] {
  const { id, supplied, corrections } = invoice
  return corrections.map((one) => {
    const { lines } = one
    const gross = grossOf({ lines })
    const net = groupsOf({ lines }).reduce((sum, { base }) => sum + base, 0n)
    const amounts = [net, gross - net, gross, gross, 0n].map((each) => euros(-each)).join(', ')
    return `insert into app.rechnung (id, client_id, le_date, rn_datum, ust_satz, art, korrektur_von, zustand,
         nummer, folge, ausgestellt_am, faellig, netto, steuer, brutto, zahlbetrag, anzahlung, beleg)
       values (${one.id}, ${w.A}, '${supplied}', '${one.day}', 19, 'korrektur', ${id},
         'ausgestellt', 'U-${one.id}', ${one.id}, now(), '${one.day}', ${amounts},
         ${documentOf({ ...invoice, lines }, one, -1n)});`
  })
}

function rowsOf(invoice: SampleInvoice, invoices: readonly SampleInvoice[]): string {
  const { id, issued, supplied, lines, advance, payments, storno } = invoice
  const gross = grossOf(invoice)
  const net = groupsOf(invoice).reduce((sum, { base }) => sum + base, 0n)
  const amounts = (factor: bigint): string =>
    [net, gross - net, gross, gross - advance, advance].map((each) => euros(factor * each)).join(', ')
  const source = sourceOf(invoice, invoices)
  const issue = (of: { id: number; day: string }, factor: bigint): string =>
    `update app.rechnung set zustand = 'ausgestellt', nummer = 'U-${of.id}', folge = ${of.id},
       ausgestellt_am = now(), faellig = rn_datum,
       (netto, steuer, brutto, zahlbetrag, anzahlung) = row(${amounts(factor)}),
       beleg = ${documentOf(invoice, of, factor)} where id = ${of.id};`
  const head = 'client_id, le_date, rn_datum, ust_satz'
  const values = (day: string): string => `${w.A}, '${supplied}', '${day}', 19`
  return [
    `insert into app.rechnung (id, ${head}, kopie_von) values (${id}, ${values(issued)}, ${source?.id ?? null});`,
    ...lines.flatMap(({ day }, index) =>
      day === null
        ? []
        : [
            `insert into app.position (client_id, rechnung_id, lfd_nr, bez, le_date)
             values (${w.A}, ${id}, ${index + 1}, 'x', '${day}');`,
          ],
    ),
    issue({ id, day: issued }, 1n),
    ...payments.map(
      ({ day, cents, art }) =>
        `insert into app.zahlung (client_id, rechnung_id, datum, betrag, art)
         values (${w.A}, ${id}, '${day}', ${euros(cents)}, '${art}');`,
    ),
    ...correctionRows(invoice),
    ...(storno === null
      ? []
      : [
          `insert into app.rechnung (id, ${head}, art, storno_von, zustand, nummer, folge, ausgestellt_am, faellig,
             netto, steuer, brutto, zahlbetrag, anzahlung, beleg)
           values (${storno.id}, ${values(storno.day)}, 'storno', ${id}, 'ausgestellt', 'U-${storno.id}',
             ${storno.id}, now(), '${storno.day}', ${amounts(-1n)}, ${documentOf(invoice, storno, -1n)});`,
        ]),
  ].join('\n')
}

export const scriptOf = (invoices: readonly SampleInvoice[]): string =>
  `begin; set local role forst_betrieb;
   ${invoices.map((invoice) => rowsOf(invoice, invoices)).join('\n')}
   commit;`
