// Bank entries, and what the tax adviser and the auditor receive.
import { one } from '../attempt.ts'
import * as w from '../world.ts'
import { RECHNUNG_B } from './buchhaltung.ts'
import type { NounCells } from './cells.ts'
import { OPEN_A, UMSATZ } from './zahlung.ts'

const BOOK = 'apus_admin admin'
const READS = `${BOOK} pruefer`

/** An entry that paid an invoice of customer B. */
export const UMSATZ_B = 2
export const IBAN_B = 'DE89370400440532013000'
const YEAR = `'2026-01-01', '2026-12-31'`
const HASH = 'a'.repeat(64)

export const BANK: NounCells = {
  personal: [],
  tables: ['kontoumsatz_liste SELECT'],
  definers: [
    'app.a_add_datev_export',
    'app.a_add_pruefung_export',
    'app.a_match_bank_all',
    'app.a_probe_bank',
    'app.a_unmatch_bank',
  ],
  world: `
    insert into app.kontoumsatz (id, schluessel, datum, betrag, name, iban, zweck, erledigt)
      values (${UMSATZ_B}, '${'c'.repeat(64)}', '2026-02-03', 10, 'Kunde B', '${IBAN_B}', 'Abschlag', true);
    insert into app.zahlung (id, client_id, rechnung_id, datum, betrag, umsatz_id)
      values (2, ${w.B}, ${RECHNUNG_B}, '2026-02-03', 10, ${UMSATZ_B});`,
  relations: {
    kontoumsatz_liste: [{ what: 'read', call: one('select * from app.kontoumsatz_liste'), may: READS }],
  },
  procedures: {
    a_probe_bank: [
      {
        what: 'entries',
        call: one(`select app.a_probe_bank('[{"datum": "2026-02-02", "betrag": "5.00"}]')`),
        may: BOOK,
      },
    ],
    a_get_bank_rechnungen: [
      { what: 'all', call: one('select * from app.a_get_bank_rechnungen()'), may: READS },
    ],
    a_get_bank_konten: [{ what: 'all', call: one('select * from app.a_get_bank_konten()'), may: READS }],
    a_match_bank_all: [
      {
        what: 'one',
        call: one(
          `select app.a_match_bank_all(jsonb_build_array(jsonb_build_object($1::text, $2::bigint,
           $3::text, $4::bigint)))`,
          'umsatz_id',
          UMSATZ,
          'rechnung_id',
          OPEN_A,
        ),
        may: BOOK,
      },
      {
        what: 'nobody’s',
        call: one(`select app.a_match_bank_all('[{"umsatz_id": 999, "rechnung_id": ${OPEN_A}}]')`),
        may: '',
      },
    ],
    a_unmatch_bank: [
      { what: 'one', call: one(`select app.a_unmatch_bank($1, 'Irrtum')`, UMSATZ_B), may: BOOK },
      { what: 'nobody’s', call: one(`select app.a_unmatch_bank(999, 'Irrtum')`), may: '' },
    ],
    a_get_datev: [{ what: 'a year', call: one(`select * from app.a_get_datev(${YEAR})`), may: READS }],
    a_get_datev_zahlungen: [
      { what: 'a year', call: one(`select * from app.a_get_datev_zahlungen(${YEAR})`), may: READS },
    ],
    a_get_datev_abweichung: [
      {
        what: 'a month',
        call: one(`select count(*) from app.a_get_datev_abweichung('2026-01-01', '2026-01-31')`),
        may: READS,
      },
    ],
    a_get_datev_stand: [{ what: 'all', call: one(`select app.a_get_datev_stand()`), may: READS }],
    a_get_datev_nachtraege: [
      { what: 'all', call: one(`select count(*) from app.a_get_datev_nachtraege()`), may: READS },
    ],
    a_get_datev_entwuerfe: [
      {
        what: 'a year',
        call: one(`select * from app.a_get_datev_entwuerfe('2000-01-01', '2100-12-31')`),
        may: BOOK,
      },
    ],
    a_get_ust: [{ what: 'a year', call: one(`select count(*) from app.a_get_ust(${YEAR})`), may: READS }],
    a_add_datev_export: [
      {
        what: 'a year',
        call: one(`select app.a_add_datev_export(${YEAR}, 'EXTF_x.csv', '${HASH}', 3)`),
        may: BOOK,
      },
    ],
    a_add_pruefung_export: [
      { what: 'a year', call: one(`select app.a_add_pruefung_export(${YEAR})`), may: READS },
    ],
  },
}
