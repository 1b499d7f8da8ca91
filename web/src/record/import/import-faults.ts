// Texts for faults of an object or an import, and what to do about them.
import type { ImportReason } from '#contract/vermessung-import.ts'
import type { Fault, ObjectFaultKind } from '#domain/vermessung/check.ts'
import { t } from '../../ui/text.ts'

const FAULTS = (wert: string): Readonly<Record<ObjectFaultKind, string>> => ({
  geometrie_leer: t('Das Objekt hat keine Geometrie. Bitte zeichnen Sie es ein, oder löschen Sie die Zeile.'),
  geometrie_kaputt: t('Die Geometrie lässt sich nicht lesen. Bitte prüfen Sie das Objekt in Ihrem GIS.'),
  geometrie_art: t(
    'Die Geometrie ist eine Fläche oder besteht aus mehreren Punkten. Gebraucht wird ein Punkt oder eine Linie.',
  ),
  geometrie_punkt: t(
    'Das Objekt ist eine Linie, gebraucht wird ein Punkt. Gehört die Schicht zu den Dränagen?',
  ),
  geometrie_linie: t(
    'Das Objekt ist ein Punkt, Dränagen sind Linien. Bitte wählen Sie, was die Schicht enthält.',
  ),
  ort_ausserhalb: t(
    'Der Ort {wert} liegt nicht in Deutschland. Vermutlich stimmt das Koordinatensystem nicht.',
    { wert },
  ),
  text_zu_lang: t('„{wert}“ ist zu lang. Bitte kürzen Sie den Text.', { wert }),
  steuerzeichen: t('„{wert}“ enthält unsichtbare Zeichen. Bitte geben Sie den Text neu ein.', { wert }),
  ja_nein_ungueltig: t(
    '„{wert}“ ist weder ja noch nein. Bitte tragen Sie ja, nein, vermessen oder vermutet ein.',
    { wert },
  ),
  zahl_ungueltig: t('„{wert}“ ist keine passende Zahl.', { wert }),
  zahl_ausserhalb: t('{wert} ist für dieses Feld zu klein oder zu groß. Stimmt die Einheit?', { wert }),
  tag_ungueltig: t('„{wert}“ ist kein Datum. Bitte schreiben Sie es als 31.12.2026.', { wert }),
  loesung_unbekannt: t(
    '„{wert}“ ist keine GNSS-Lösung. Bitte tragen Sie RTK fixed, RTK float, DGPS oder GNSS ein.',
    { wert },
  ),
  schluessel_doppelt: t(
    'Die Kennung „{wert}“ gibt es in der Datei schon. Bitte wählen Sie eine andere Spalte, oder machen Sie sie ' +
      'eindeutig.',
    { wert },
  ),
  schluessel_fehlt: t('Die Kennung fehlt. Zum Ergänzen braucht jedes Objekt eine.'),
})
export const faultText = ({ art, wert }: Fault): string => FAULTS(wert)[art]

export function reasonText(reason: ImportReason): string {
  switch (reason) {
    case 'fehler':
      return t('Objekte der Datei sind fehlerhaft. Es wurde nichts übernommen.')
    case 'datei':
      return t(
        'Die Datei lässt sich nicht mehr lesen. Es wurde nichts übernommen; bitte laden Sie sie noch einmal hoch.',
      )
    case 'zeit':
      return t(
        'Der Import wurde nicht rechtzeitig fertig. Es wurde nichts übernommen; bitte teilen Sie die Datei auf.',
      )
    case 'server':
      return t(
        'Der Server wurde während des Imports beendet. Es wurde nichts übernommen; bitte starten Sie den ' +
          'Import noch einmal.',
      )
    case 'ort':
      return t(
        'Ein Teil der Daten liegt weit entfernt. Es wurde nichts übernommen; bitte prüfen Sie das ' +
          'Koordinatensystem, oder bestätigen Sie den Ort.',
      )
    case 'platz':
      return t(
        'Auf dem Server ist kein Speicherplatz mehr frei. Es wurde nichts übernommen; bitte wenden Sie sich an den ' +
          'Support.',
      )
    case 'verschiebung':
      return t(
        'Objekte mit bekannter Kennung liegen in der Datei an anderer Stelle. Es wurde nichts übernommen; bitte ' +
          'prüfen Sie, welche Spalte die Kennung ist, oder bestätigen Sie die Verschiebung.',
      )
    case 'abgebrochen':
      return t('Der Import wurde abgebrochen. Es wurde nichts übernommen.')
    case 'datenbank':
      return t(
        'Die Datenbank hat den Import abgelehnt. Es wurde nichts übernommen; bitte wenden Sie sich an den Support.',
      )
  }
}
