// What the server says when a draft cannot be issued, by the codes of the check (domain/beleg-draft-check.ts). The
// page's own check names the field and the next step, so several codes share a sentence here.

export const BELEG_TEXTS: Readonly<Record<string, string>> = {
  lieferant_name_fehlt: 'In den Einstellungen fehlt die eigene Anschrift.',
  lieferant_strasse_fehlt: 'In den Einstellungen fehlt die eigene Anschrift.',
  lieferant_plz_fehlt: 'In den Einstellungen fehlt die eigene Anschrift.',
  lieferant_ort_fehlt: 'In den Einstellungen fehlt die eigene Anschrift.',
  lieferant_plz: 'In den Einstellungen passt die eigene Postleitzahl nicht zum Land.',
  lieferant_land: 'In den Einstellungen fehlt die eigene Anschrift.',
  empfaenger_name_fehlt: 'Die Anschrift des Kunden ist nicht vollständig.',
  empfaenger_strasse_fehlt: 'Die Anschrift des Kunden ist nicht vollständig.',
  empfaenger_plz_fehlt: 'Die Anschrift des Kunden ist nicht vollständig.',
  empfaenger_plz_xrechnung:
    'Eine XRechnung braucht eine Postleitzahl des Empfängers. Sein Land hat keine: Bitte ZUGFeRD oder PDF wählen.',
  empfaenger_ort_fehlt: 'Die Anschrift des Kunden ist nicht vollständig.',
  empfaenger_land: 'Die Anschrift des Kunden ist nicht vollständig.',
  empfaenger_plz: 'Beim Kunden passt die Postleitzahl nicht zum Land.',
  lieferant_steuernummer_fehlt: 'In den Einstellungen fehlt eine gültige Steuernummer oder USt-IdNr.',
  lieferant_steuernummer_form: 'In den Einstellungen fehlt eine gültige Steuernummer oder USt-IdNr.',
  nicht_steuerbar_steuernummer: 'In den Einstellungen fehlt eine gültige Steuernummer oder USt-IdNr.',
  lieferant_ust_id_land: 'In den Einstellungen ist die eigene USt-IdNr. nicht gültig.',
  lieferant_ust_id_form: 'In den Einstellungen ist die eigene USt-IdNr. nicht gültig.',
  lieferant_ust_id_pruefziffer: 'In den Einstellungen ist die eigene USt-IdNr. nicht gültig.',
  empfaenger_ust_id_land: 'Beim Kunden ist die USt-IdNr. nicht gültig.',
  empfaenger_ust_id_form: 'Beim Kunden ist die USt-IdNr. nicht gültig.',
  empfaenger_ust_id_pruefziffer: 'Beim Kunden ist die USt-IdNr. nicht gültig.',
  ansprechpartner_fehlt:
    'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  telefon_fehlt: 'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  telefon_form: 'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  lieferant_mail_fehlt: 'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  lieferant_mail_form: 'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  iban_fehlt: 'Für eine XRechnung fehlt in den Einstellungen die IBAN.',
  iban_zeichen: 'In den Einstellungen ist die IBAN nicht gültig.',
  iban_land: 'In den Einstellungen ist die IBAN nicht gültig.',
  iban_laenge: 'In den Einstellungen ist die IBAN nicht gültig.',
  iban_pruefziffer: 'In den Einstellungen ist die IBAN nicht gültig.',
  leitweg_fehlt: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_zeichen: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_aufbau: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_grob: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_land: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_fein: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  leitweg_pruefziffer: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  empfaenger_mail_fehlt: 'Für eine XRechnung fehlt beim Kunden die E-Mail-Adresse für Rechnungen.',
  empfaenger_mail_form: 'Beim Kunden ist die E-Mail-Adresse für Rechnungen nicht gültig.',
  reverse_charge_lieferant:
    'Für die Steuerschuldnerschaft des Empfängers fehlt eine gültige USt-IdNr. von Ihnen oder vom Kunden.',
  reverse_charge_empfaenger:
    'Für die Steuerschuldnerschaft des Empfängers fehlt eine gültige USt-IdNr. von Ihnen oder vom Kunden.',
  reverse_charge_privat:
    'Eine Privatperson kann die Steuer nicht schulden. Bitte ändern Sie die Steuer der Positionen.',
  leistungsort_fehlt: 'Der Kunde ist im Ausland. Bitte wählen Sie den Ort der Leistung.',
  leistungsland_fehlt: 'Bitte wählen Sie das Land, in dem das Grundstück liegt.',
  leistungsland_inland: 'Das Grundstück liegt in Deutschland. Bitte wählen Sie „Grundstück in Deutschland“.',
  leistungsland_unbekannt: 'Bitte wählen Sie ein Land der Liste.',
  ort_inland: 'Diese Leistung wird in Deutschland versteuert. Bitte tragen Sie den deutschen Steuersatz ein.',
  ort_ausland:
    'Diese Leistung wird nicht in Deutschland versteuert. Bitte ändern Sie die Steuer der Positionen.',
  ort_nicht_steuerbar:
    'Diese Leistung wird nicht in Deutschland versteuert. Bitte ändern Sie die Steuer der Positionen.',
  le_date_fehlt: 'Das Leistungsdatum fehlt. Bitte tragen Sie es ein.',
  gueltig_bis_vor_datum: 'Das Angebot muss mindestens bis zu seinem Datum gelten.',
  positionen_fehlen: 'Der Beleg hat keine Position. Bitte fügen Sie mindestens eine hinzu.',
  bez_fehlt: 'Eine Position hat keine Bezeichnung.',
  beleg_optional: 'Eine Rechnung hat keine optionalen oder alternativen Positionen.',
  reverse_charge_hinweis:
    'Auf der Rechnung müssen die Worte „Steuerschuldnerschaft des Leistungsempfängers“ stehen (§ 14a UStG). Bitte ' +
    'ergänzen Sie den Grund, oder löschen Sie ihn: Dann werden sie automatisch gedruckt.',
  steuergrund_fehlt: 'Zu einer Position ohne Steuer fehlt der Grund der Befreiung.',
  satz_null: 'Zu 0 % gehört eine Steuerkategorie mit Grund. Bitte wählen Sie „steuerfrei“ oder eine andere.',
  satz_unbekannt:
    'Eine Position hat einen Steuersatz, den es am Leistungsdatum nicht gab. Bitte wählen Sie einen anderen.',
  kleinunternehmer_wechsel:
    'Zwischen den Leistungen dieser Rechnung liegt ein Wechsel bei § 19 UStG. Bitte setzen Sie die Positionen davor ' +
    'und danach auf zwei Rechnungen.',
  nicht_steuerbar_allein: 'Nicht steuerbare Positionen gehören auf eine eigene Rechnung.',
  brutto_negativ:
    'Der Betrag ist kleiner als null. Eine Rechnung nehmen Sie mit einem Storno oder einer Korrektur zurück.',
  anzahlung_zu_hoch: 'Die Anzahlung ist höher als der Betrag.',
  rabatt_grund_fehlt: 'Zum Rabatt fehlt der Grund, der gedruckt wird.',
  platzhalter_offen: 'Ein Platzhalter ist nicht ausgefüllt. Bitte ersetzen Sie ihn.',
  zeichen: 'Ein Text enthält unsichtbare Steuerzeichen. Bitte tippen Sie ihn neu ein.',
  zeichen_druck: 'Ein Text enthält Zeichen, die nicht gedruckt werden können. Bitte ersetzen Sie sie.',
}

/** Corrections of an invoice (db/nouns/korrektur.sql). */
export const CORRECTION_TEXTS: Readonly<Record<string, string>> = {
  korrektur_zeilen: 'Bitte bei mindestens einer Position eintragen, was zurückgenommen wird.',
  korrektur_zahl:
    'Bitte eine Zahl eintragen: Mengen mit drei, Preise mit vier, Beträge mit zwei Nachkommastellen.',
  korrektur_null: 'Bitte mehr als null eintragen, oder das Feld leeren.',
  korrektur_menge: 'Von dieser Position ist weniger übrig. Bitte verringern Sie die Menge.',
  korrektur_preis: 'Der Preis lässt sich höchstens um sich selbst mindern. Bitte verringern Sie ihn weniger.',
  korrektur_betrag: 'Von dieser Position ist weniger übrig. Bitte verringern Sie den Betrag.',
  korrektur_gruppe:
    'Zu einem Steuersatz würde mehr zurückgenommen, als berechnet ist. Bitte nehmen Sie die Positionen darunter mit ' +
    'zurück.',
  korrektur_grund: 'Bitte den Grund angeben: Er steht auf der Rechnungskorrektur.',
  korrektur_datum: 'Die Korrektur ist älter als die Rechnung. Bitte ein späteres Datum eintragen.',
  korrektur_entwurf:
    'Zur Rechnung {nummer} gibt es schon eine Korrektur als Entwurf. Bitte stellen Sie sie aus, oder löschen Sie sie.',
  korrektur_entwurf_rechnung: 'Ein Entwurf wird nicht korrigiert. Bitte ändern Sie ihn einfach.',
  korrektur_abschlag:
    'Eine Abschlagsrechnung wird nicht in Teilen korrigiert. Bitte stornieren Sie {nummer}, und schreiben Sie sie neu.',
  korrektur_von: 'Korrigiert werden nur Rechnungen und Schlussrechnungen.',
  korrektur_storniert:
    'Diese Rechnung ist mit {nummer} ganz storniert; es gibt nichts mehr zu korrigieren. Einen Entwurf der Korrektur ' +
    'können Sie löschen.',
  korrektur_ueberholt:
    'Von der Rechnung {nummer} ist inzwischen weniger übrig. Bitte öffnen Sie „Korrektur ändern“, und prüfen Sie die ' +
    'Positionen.',
  korrektur_fest: 'Eine Rechnungskorrektur ändern Sie auf ihrer Seite mit „Korrektur ändern“.',
  korrektur_kopie:
    'Eine Rechnungskorrektur wird nicht kopiert. Bitte wählen Sie bei der Rechnung „Korrigieren“.',
  korrektur_storno:
    'Eine Rechnungskorrektur wird nicht storniert. Was doch zu zahlen ist, stellen Sie bitte neu in Rechnung.',
  storno_korrigiert:
    'Die Rechnung {nummer} ist schon in Teilen korrigiert. Bitte nehmen Sie den Rest mit „Korrigieren“ und ' +
    '„Alles, was bleibt“ zurück.',
}

/** Advances and the final invoice of an order (db/nouns/abschlag.sql). */
export const ADVANCE_TEXTS: Readonly<Record<string, string>> = {
  abschlag_betrag: 'Bitte einen Anteil oder Beträge zu den Steuersätzen des Auftrags eintragen.',
  abschlag_prozent:
    'Der Anteil liegt über 0 und bei höchstens 100 % und hat höchstens zwei Stellen nach dem Komma.',
  abschlag_zu_hoch:
    'Abschläge und Rechnungen zusammen wären höher als der Auftrag. Bitte verringern Sie den Betrag, oder bestätigen ' +
    'Sie, dass das gewollt ist.',
  abschlag_anzahl:
    'Mehr Abschlagsrechnungen kann ein Auftrag nicht haben. Bitte schreiben Sie die Schlussrechnung.',
  abschlag_entwurf:
    'Zu diesem Auftrag gibt es noch eine Abschlagsrechnung als Entwurf. Bitte stellen Sie sie ' +
    'aus, oder löschen Sie sie.',
  abschlag_offen:
    'Auf die Abschlagsrechnung {nummer} ist noch nichts eingegangen. Bitte tragen Sie zuerst die Zahlung ein, oder ' +
    'stornieren Sie die Abschlagsrechnung.',
  schluss_vor_zahlung:
    'Auf die Abschlagsrechnung {nummer} ist nach dem Datum der Schlussrechnung Geld ' +
    'eingegangen. Bitte wählen Sie ein ' +
    'späteres Datum.',
  schluss_noetig:
    'Zu diesem Auftrag gibt es Abschlagsrechnungen ({nummer}); seine letzte Rechnung muss sie ' +
    'absetzen. Bitte löschen ' +
    'Sie diesen Entwurf, und wählen Sie beim Angebot „Schlussrechnung schreiben“.',
  schluss_ausgestellt:
    'Dieser Auftrag ist mit der Schlussrechnung {nummer} abgerechnet. Bitte stornieren Sie zuerst die Schlussrechnung.',
  schluss_entwurf:
    'Zu diesem Auftrag gibt es schon eine Schlussrechnung als Entwurf. Bitte schreiben Sie ' +
    'daran weiter, oder löschen ' +
    'Sie sie.',
  abschlag_verrechnet:
    'Diese Abschlagsrechnung ist in der Schlussrechnung {nummer} abgesetzt. Bitte stornieren Sie zuerst die ' +
    'Schlussrechnung.',
  abschlag_verrechnet_zahlung:
    'Diese Abschlagsrechnung ist in der Schlussrechnung {nummer} abgesetzt. Bitte buchen Sie die Zahlung dort.',
  abschlag_nur_geld:
    'Auf eine Abschlagsrechnung werden nur Zahlungen gebucht. Skonto und Ausfall gehören zur Schlussrechnung.',
  abschlag_ueberzahlt:
    'Auf eine Abschlagsrechnung wird höchstens ihr offener Betrag gebucht. Bitte schreiben Sie für den Rest eine ' +
    'weitere Abschlagsrechnung.',
  anzahlung_abschlag:
    'Anzahlungen werden als Abschlagsrechnung zum Angebot geschrieben; die Schlussrechnung setzt sie ab.',
}
