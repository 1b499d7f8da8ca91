// Why a file cannot be accepted, in words for people.
import type { FileReason } from '#contract/vermessung-import.ts'

export const REASONS: Readonly<Record<FileReason, string>> = {
  format_unbekannt:
    'Dieses Format kennt das Programm nicht. Bitte wählen Sie GeoPackage, GeoJSON, FlatGeobuf, GML, ' +
    'DXF, CSV oder ein ZIP mit den Dateien eines Shapefiles.',
  zeichnung_geschlossen:
    'Diese Zeichnung liegt als DWG oder als binäre DXF vor, die das Programm nicht lesen kann. ' +
    'Bitte speichern Sie sie im CAD-Programm als DXF (ASCII).',
  gml_doctype:
    'Diese XML-Datei enthält eine Dokumenttyp-Deklaration (DOCTYPE); das Programm liest sie aus ' +
    'Sicherheitsgründen nicht. Bitte exportieren Sie sie als GML ohne DOCTYPE oder als GeoPackage.',
  gml_verweise:
    'In dieser GML stehen keine Geometrien, sondern nur Verweise darauf (xlink), denen das Programm nicht ' +
    'folgt. Bitte exportieren Sie sie mit eingebetteten Geometrien, oder wandeln Sie sie zum Beispiel mit ' +
    'QGIS in ein GeoPackage um.',
  datei_kaputt:
    'Die Datei lässt sich nicht lesen: Sie ist beschädigt oder unvollständig. Bitte exportieren Sie sie neu.',
  datei_aufwand:
    'Die Datei ließ sich nicht lesen: Sie braucht dafür zu viel Speicher oder Zeit. ' +
    'Bitte teilen Sie sie auf, oder exportieren Sie sie neu.',
  keine_schicht:
    'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie Punkte oder Linien enthält.',
  nur_koerper:
    'Das Shapefile enthält Körper (MultiPatch), die wir nicht übernehmen. Bitte speichern Sie in Ihrem GIS die ' +
    'Grundrisse als Flächen, und importieren Sie diese.',
  nur_sichten:
    'In der Datei sind nur Sichten (Views), die das Programm aus Sicherheitsgründen nicht ausführt. Bitte speichern ' +
    'Sie sie in Ihrem GIS als Tabellen, in QGIS mit „Exportieren“, „Objekte speichern als“, und laden Sie diese ' +
    'Datei hoch.',
  zip_zu_gross: 'Das ZIP-Archiv ist entpackt zu groß. Bitte teilen Sie es auf.',
  zip_verschluesselt: 'Das ZIP-Archiv ist mit einem Passwort geschützt. Bitte packen Sie es ohne Passwort.',
  zu_viele_objekte: 'Die Datei enthält mehr als 250.000 Objekte. Bitte teilen Sie sie auf.',
  zu_viele_spalten:
    'Eine Tabelle der Datei hat mehr als 500 Spalten. Bitte lassen Sie weg, was Sie nicht brauchen.',
}
/** One visible line: it is shown and stored, never used as a path. */
export const fileNameOf = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text
    .replace(/^.*[\\/]/, '')
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
    .trim()
    .slice(0, 200) || 'Datei'
