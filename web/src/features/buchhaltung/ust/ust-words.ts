// Words of the page: names of figures, why a document counts, why a part belongs to no figure, groups of figures,
// periods.
import type { InputTaxReason, InputTaxRow, UstReason, UstRow } from '#contract/ust.ts'
import type { Kennzahl, KennzahlGroup, NoKennzahl } from '#domain/ust/kennzahlen.ts'
import { eingangPath } from '../eingang/eingang-path.ts'
import { monthName } from '../../../ui/month-name.ts'
import { t } from '../../../ui/text.ts'

function reasonWords(reasons: readonly UstReason[]): string {
  const words: Record<UstReason, string> = {
    leistung: t('Leistung'),
    zahlung: t('Zahlung'),
    minderung: t('Skonto oder Ausfall'),
    storno: t('Storno'),
    korrektur: t('Rechnungskorrektur'),
  }
  return reasons.map((reason) => words[reason]).join(', ')
}

function receivedReasons(reasons: readonly InputTaxReason[]): string {
  const words: Record<InputTaxReason, string> = {
    eingang: t('Eingang'),
    zahlung: t('Zahlung vor der Leistung'),
    minderung: t('Skonto'),
  }
  return reasons.map((reason) => words[reason]).join(', ')
}

/** A document behind a figure, ours or a supplier's. */
export interface ReturnDocument {
  readonly key: string
  readonly href: string
  readonly nummer: string
  readonly datum: string
  readonly name: string
  readonly anlass: string
  readonly leistung: string
  /** Reasons for a category without tax. */
  readonly grund: string
  readonly basis: string
  readonly steuer: string
}
export const ownDocument = (row: UstRow): ReturnDocument => ({
  key: `${row.rechnung_id} ${row.kategorie} ${row.satz} ${row.le_date}`,
  href: `/buchhaltung/rechnungen/rechnung/${row.rechnung_id}`,
  nummer: row.nummer,
  datum: row.rn_datum,
  name: row.kunde,
  anlass: reasonWords(row.anlass),
  leistung: row.le_date,
  grund: row.grund,
  basis: row.basis,
  steuer: row.steuer,
})
/** @param tax which of its two taxes the figure takes */
export const receivedDocument =
  (tax: 'steuer' | 'abzug') =>
  (row: InputTaxRow): ReturnDocument => ({
    key: String(row.eingang_id),
    href: eingangPath(row.eingang_id),
    nummer: row.nummer,
    datum: row.datum,
    name: row.kreditor,
    anlass: receivedReasons(row.anlass),
    leistung: row.leistung,
    grund: '',
    basis: row.basis,
    steuer: row[tax],
  })

export const kennzahlName = ({ name }: Kennzahl): string => t(name)
/** As on the form: 81, or 35/36 for base and tax. */
export const kennzahlNumber = ({ nr, steuer }: Kennzahl): string =>
  steuer === undefined ? nr : `${nr}/${steuer}`

export function groupTitle(group: KennzahlGroup): string {
  const titles: Record<KennzahlGroup, string> = {
    steuerpflichtig: t('Steuerpflichtige Umsätze'),
    steuerfrei: t('Steuerfreie Umsätze'),
    ergaenzend: t('Ergänzende Angaben'),
    eingang: t('Steuer als Empfänger: § 13b UStG und innergemeinschaftliche Erwerbe'),
    vorsteuer: t('Abziehbare Vorsteuer'),
  }
  return titles[group]
}

/** Title, and what it means or what to do. */
export function restWords(reason: NoKennzahl): readonly [title: string, text: string] {
  const words: Record<NoKennzahl, readonly [string, string]> = {
    unklar: [
      t('Steuerfreie Umsätze ohne Kennzahl'),
      t(
        'Ihr Grund nennt keine Nummer von § 4 UStG. Bitte klären Sie die Kennzahl mit der Steuerberatung und ' +
          'nennen Sie die Nummer auf der nächsten Rechnung, zum Beispiel: steuerfrei nach § 4 Nr. 21 UStG.',
      ),
    ],
    durchschnitt: [
      t('Umsätze zu Durchschnittssätzen'),
      t('Nach § 24 Abs. 1 UStG bleibt dafür keine Steuer zu zahlen; sie haben hier keine Kennzahl.'),
    ],
    kein_umsatz: [
      t('Nicht steuerbare Einnahmen im Inland'),
      t('Schadensersatz und Ähnliches ist kein Umsatz und steht in keiner Kennzahl.'),
    ],
    kleinunternehmer: [
      t('Umsätze als Kleinunternehmer'),
      t('Sie sind nach § 19 UStG steuerfrei und haben hier keine Kennzahl.'),
    ],
  }
  return words[reason]
}

/** A month or quarter of a year. */
export const periodName = (year: string, part: string): string =>
  part.startsWith('q')
    ? t('{n}. Quartal {jahr}', { n: part.slice(1), jahr: year })
    : monthName(`${year}-${part.slice(1).padStart(2, '0')}-01`, 'long')
