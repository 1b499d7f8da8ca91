// What the kinds of survey objects and their fields are called.
import type { Tabelle } from '#domain/vermessung/felder.ts'
import { t } from '../../ui/text.ts'

export function tabelleName(tabelle: Tabelle): string {
  switch (tabelle) {
    case 'draenage':
      return t('Dränagen')
    case 'ausmuendung':
      return t('Ausmündungen')
    case 'schacht':
      return t('Schächte')
    case 'schlucker':
      return t('Schlucker')
    case 'einlauf':
      return t('Einläufe')
  }
}

export function feldName(feld: string): string {
  return FELDER()[feld] ?? feld
}
const FELDER = (): Readonly<Record<string, string>> => ({
  geometrie: t('Geometrie'),
  schluessel: t('Kennung'),
  vermessen: t('vermessen'),
  erfq: t('Erfassungsquelle'),
  qdt: t('Qualität der Daten'),
  art: t('Art'),
  dn: t('Nennweite (mm)'),
  material: t('Material'),
  hoehe: t('Höhe (m)'),
  sohlhoehe: t('Sohlhöhe (m)'),
  tiefe: t('Tiefe (m)'),
  gefaelle: t('Gefälle (%)'),
  abstand: t('Abstand (m)'),
  baujahr: t('Baujahr'),
  plan_nr: t('Plannummer'),
  zustand: t('Zustand'),
  letzte_kontrolle: t('Letzte Kontrolle'),
  eigentuemer: t('Eigentümer'),
  genauigkeit_cm: t('Genauigkeit (cm)'),
  datum: t('Datum'),
  bemerkung: t('Bemerkung'),
})
