// Texts of the import: fields, kinds of tables, and faults of a row.
import { DEFAULT_LEVELS } from '#domain/bestand.ts'
import type { FeFault, FeTable } from '#domain/bestand-import.ts'
import { faultText } from '../../record/import/import-faults.ts'
import { t } from '../../ui/text.ts'

export const feTableName = (table: FeTable): string =>
  ({ bestand: t('Bestände'), baumarten: t('Baumarten') })[table]

/** Levels by the names of this headquarters. */
export function feFieldName(field: string, levels: readonly string[]): string {
  const level = /^sLVL0([1-5])$/.exec(field)?.[1]
  if (level !== undefined) return levels[Number(level) - 1] || DEFAULT_LEVELS[Number(level) - 1]!
  const names: Readonly<Record<string, string>> = {
    iSTAND: t('Bestandsnummer'),
    adresse: t('Forstliche Adresse'),
    geometrie: t('Geometrie'),
    flaeche_ha: t('Fläche (ha)'),
    stichtag: t('Stichtag'),
    nutzungsart: t('Nutzungsart'),
    bestandestyp: t('Bestandestyp'),
    alter: t('Alter'),
    altersklasse: t('Altersklasse'),
    vorrat: t('Vorrat (Vfm)'),
    bemerkung: t('Bemerkung'),
    schicht: t('Schicht'),
    baumart: t('Baumart'),
    anteil: t('Anteil (%)'),
    ertragsklasse: t('Ertragsklasse'),
  }
  return names[field] ?? field
}

export function feFaultText({ art, wert, schicht, nr, feld }: FeFault): string {
  switch (art) {
    case 'geometrie_keine_flaeche':
    case 'geometrie_art':
    case 'geometrie_punkt':
    case 'geometrie_linie':
      return t('Gebraucht wird eine Fläche. Bitte wählen Sie die Schicht mit den Umrissen der Bestände.')
    case 'adresse_fehlt':
      return t('Die forstliche Adresse fehlt: Alle Ebenen und die Bestandsnummer sind leer.')
    case 'adresse_doppelt':
      return t('Den Bestand {wert} gibt es in der Datei schon. Jede Adresse darf nur einmal vorkommen.', {
        wert,
      })
    case 'bestand_fehlt':
      return t(
        'Zu {wert} gibt es in der Datei keinen Bestand. Bitte prüfen Sie die Adresse und die Zuordnung der Ebenen.',
        { wert },
      )
    case 'baumart_fehlt':
      return t('Die Baumart fehlt.')
    default:
      return faultText({ art, wert, schicht, nr, feld })
  }
}
