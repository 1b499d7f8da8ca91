// Imports, photos and deletions of the survey: whom each of their columns says something about (privacy.ts).

export const SURVEY_TABLES = {
  'app.vermessung_import': {
    person: 'user_id wer',
    kunde:
      'id client_id dateiname format groesse sha256 modus stand werte bericht angelegt_am begonnen_am beendet_am',
  },
  'app.vermessungsbilder': {
    person: 'created_by geaendert_von',
    kunde:
      'id kennung tabelle objekt client_id dateiname typ groesse breite hoehe sha256 klein mittel gross ' +
      'aufgenommen_am richtung exif_lage exif_abweichung_m bemerkung created_at',
    other: 'version geaendert_am',
  },
  // Counted from the objects, which are disclosed themselves.
  'maps.vermessung_zelle': {
    other:
      'client_id stufe zx zy ganz art surveyed erfq qdt n laenge_cm vermessen vermutet draenage ausmuendung ' +
      'schacht schlucker einlauf x_cm y_cm neu',
  },
  'maps.vermessung_empfangen': { kunde: 'kennung client_id zeit', other: 'digest' },
  'maps.vermessung_geloescht': {
    person: 'inhalt',
    kunde: 'kennung tabelle client_id geloescht_am grund dateien',
  },
} as const
