// Messages for the rules that the database names. A separate module, because there are many and few users
// ever see one.
import { ADVANCE_TEXTS, CORRECTION_TEXTS, BELEG_TEXTS } from './beleg-rule-texts.ts'
import { GUTSCHEIN_TEXTS } from './gutschein-texts.ts'
import { SERIE_TEXTS } from './serie-texts.ts'
import { WEBHOOK_TEXTS } from './webhook-texts.ts'
import { ZUGANG_TEXTS } from './zugang-texts.ts'

/** Keyed by the `hint` of the database, for rules where the general message would not help. */
export const BY_RULE: Readonly<Record<string, string>> = {
  ...GUTSCHEIN_TEXTS,
  ...BELEG_TEXTS,
  ...ADVANCE_TEXTS,
  ...CORRECTION_TEXTS,
  ...SERIE_TEXTS,
  ...ZUGANG_TEXTS,
  ...WEBHOOK_TEXTS,
  ebenen: 'Bitte benennen Sie mindestens eine der fünf Ebenen.',
  nicht_sich_selbst: 'Eigene Rollen und Zugehörigkeiten vergibt immer eine andere Person.',
  anbieter_entscheidet:
    'Wer für den Anbieter arbeitet, kann dessen Angebote nicht selbst annehmen oder ablehnen. Eine Antwort auf ' +
    'Papier tragen Sie beim Angebot unter „Entscheidung eintragen“ ein.',
  last_admin:
    'Der letzte Administrator kann nicht entfernt oder gesperrt werden. Bitte ernennen Sie zuerst einen anderen.',
  mail_taken: 'Diese E-Mail-Adresse kann nicht verwendet werden. Sie gehört bereits zu einem Zugang.',
  email: 'Das ist keine gültige E-Mail-Adresse.',
  epsg: 'Das Koordinatensystem der Fläche passt nicht zum Koordinatensystem des Kunden.',
  geometry: 'Die Fläche ist kein gültiges Polygon.',
  area_place:
    'Die Fläche liegt nicht in Deutschland. Vermutlich stimmt das Koordinatensystem nicht, oder die Achsen ' +
    'sind vertauscht.',
  area_changed: 'Die Fläche wurde inzwischen von jemand anderem geändert. Bitte laden Sie die Seite neu.',
  abo_laeuft:
    'Für diesen Forstbetrieb läuft bereits ein passendes Abo. Es kann erst nach seinem Ende neu begonnen werden.',
  modul_an: 'Dieses Modul ist für den Forstbetrieb schon freigeschaltet. Ein Abo ist dafür nicht nötig.',
  abo_nicht_aktiv: 'Dieses Abo ist bereits gekündigt oder beendet. Bitte laden Sie die Seite neu.',
  abo_nicht_gekuendigt: 'Dieses Abo ist nicht gekündigt. Bitte laden Sie die Seite neu.',
  fb_disabled: 'Dieser Forstbetrieb ist nicht freigeschaltet. Bitte wenden Sie sich an den Support.',
  code_gezeigt:
    'Der Code dieses Gutscheins wurde schon angezeigt und kann nicht noch einmal angezeigt werden. Bitte legen ' +
    'Sie einen neuen Gutschein an.',
  ansichten:
    'Mehr Ansichten können nicht gespeichert werden. Bitte löschen Sie zuerst eine, die Sie nicht mehr brauchen.',
  datenschutz_bestaetigung: 'Die Eingabe stimmt nicht mit dem Namen des Datensatzes überein.',
  datenschutz_schon_geloescht: 'Die Daten dieser Person wurden bereits gelöscht.',
  datenschutz_selbst: 'Die eigenen Daten kann nur eine andere Person aus der Verwaltung löschen.',
  datenschutz_abo_laeuft: 'Für diesen Kunden laufen noch Abos. Bitte kündigen Sie sie zuerst.',
  datenschutz_gesperrt:
    'Dieser Kunde ist gesperrt und wird nach dem Ende der Aufbewahrung automatisch gelöscht.',
  changed_meanwhile: 'Der Datensatz wurde inzwischen geändert. Bitte laden Sie ihn neu.',
  datenschutz_ogf_admin:
    'Zu diesem Kunden gehören Forstbetriebe oder Abos. Auskunft und Löschung macht deshalb die Verwaltung der ' +
    'Forstsparte.',
  datenschutz_apus_admin:
    'Zu diesem Kunden gehören Angebote oder Rechnungen. Auskunft und Löschung macht deshalb die Verwaltung der ' +
    'Kartensparte.',
  person_geloescht:
    'Die Daten dieser Person wurden gelöscht. Sie lässt sich nicht wieder herstellen; bitte legen Sie sie neu an.',
  kunde_gesperrt: 'Dieser Kunde ist gesperrt. Zu ihm kann nichts mehr angelegt oder geändert werden.',
  land: 'Bitte wählen Sie ein Land der Liste.',
  plz_land: 'Diese Postleitzahl passt nicht zum Land.',
  bundesland_land: 'Kunden im Ausland haben kein Bundesland.',
  datum_bereich: 'Bitte ein Datum zwischen 2000 und 2100.',
  betrag_positiv: 'Der Betrag muss größer als null sein.',
  betrag_stellen: 'Beträge haben höchstens zwei Stellen nach dem Komma.',
  betrag_gross: 'Diese Zahl ist zu groß.',
  preis_stellen: 'Preise haben höchstens vier Stellen nach dem Komma.',
  ust_satz: 'Der Steuersatz liegt zwischen 0 und 99 % und hat höchstens zwei Stellen nach dem Komma.',
  prognose_art: 'Bitte wählen Sie Einnahme oder Ausgabe.',
  freitext_art: 'Diese Art von Textbaustein gibt es nicht.',
  zeile_20: 'Eine Zeile mit höchstens 20 Zeichen.',
  zeile_60: 'Eine Zeile mit höchstens 60 Zeichen.',
  zeichen_druck:
    'Die Schrift der Dokumente kennt ein Zeichen dieses Textes nicht. Bitte ersetzen oder löschen Sie es.',
  zeile_100: 'Eine Zeile mit höchstens 100 Zeichen.',
  zeile_200: 'Eine Zeile mit höchstens 200 Zeichen.',
  zeile_500: 'Eine Zeile mit höchstens 500 Zeichen.',
  text_4000: 'Höchstens 4.000 Zeichen, ohne Steuerzeichen.',
  text_6000: 'Höchstens 6.000 Zeichen, ohne Steuerzeichen.',
  platzhalter: 'Der Text enthält eine geschweifte Klammer, die zu keinem Platzhalter gehört.',
  vorlage_vorhanden:
    'Eine Vorlage mit dieser Bezeichnung gibt es in dieser Gruppe schon. Bitte ändern Sie die vorhandene, oder ' +
    'wählen Sie eine andere Bezeichnung.',
  freitext_vorhanden:
    'Einen Textbaustein mit diesem Titel gibt es in dieser Art schon. Bitte ändern Sie den vorhandenen, oder ' +
    'wählen Sie einen anderen Titel.',
  zahlung_beleg:
    'Zahlungen gehören zu einer ausgestellten Rechnung. Bitte stellen Sie die Rechnung zuerst aus.',
  anlage_kunde:
    'Die Rechnung hat Anlagen, die zum bisherigen Kunden gehören. Bitte entfernen Sie zuerst diese Anlagen.',
  anlage_art:
    'Diese Datei kann keine Anlage sein. Möglich sind PDF, PNG, JPEG, CSV, Excel (xlsx) und OpenDocument (ods).',
  anlage_gross:
    'Die Anlagen dieser Rechnung werden zusammen zu groß. Bitte entfernen Sie eine, oder wählen Sie eine ' +
    'kleinere Datei.',
  anlage_viele:
    'Diese Rechnung hat schon so viele Anlagen, wie in den Einstellungen erlaubt sind. Bitte entfernen Sie ' +
    'zuerst eine.',
  anlage_doppelt: 'Diese Datei ist schon angehängt.',
  anlage_fehlt: 'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
  eingang_art:
    'Diese Datei ist weder ein PDF noch eine E-Rechnung. Möglich sind XRechnung und ZUGFeRD (XML oder PDF).',
  eingang_leer: 'Diese Datei ist leer.',
  eingang_gross: 'Diese Datei ist zu groß. Sie darf höchstens 20 MB haben.',
  eingang_zeichen:
    'Die Zeichen dieser Datei lassen sich nicht lesen. Bitte bitten Sie den Absender um eine Datei in UTF-8.',
  eingang_xml: 'Diese XML-Datei ist beschädigt und deshalb keine Rechnung. Bitte fordern Sie eine neue an.',
  eingang_dtd:
    'Diese XML-Datei enthält eine Dokumenttyp-Definition. So etwas gehört in keine Rechnung und wird nicht gelesen.',
  eingang_umfang: 'Diese Datei ist zu umfangreich oder zu verschachtelt für eine Rechnung.',
  eingang_fremd: 'Diese XML-Datei ist keine Rechnung. Möglich sind UBL (Invoice, CreditNote) und CII.',
  eingang_zugferd_1: 'Diese Datei ist ZUGFeRD 1.0. Das ist keine E-Rechnung; bitte laden Sie das PDF hoch.',
  eingang_aufwand: 'Diese Datei war nicht in angemessener Zeit zu lesen. Bitte prüfen Sie, woher sie kommt.',
  eingang_zustand: 'Diese Rechnung hat inzwischen einen anderen Status. Bitte laden Sie die Seite neu.',
  eingang_gelesen: 'Diese Angabe steht so in der Rechnung und lässt sich nicht ändern.',
  eingang_kreditor: 'Bitte wählen Sie einen Lieferanten.',
  eingang_grund: 'Bitte schreiben Sie, warum Sie die Rechnung ablehnen.',
  eingang_trotzdem: 'Diese Rechnung hat Fehler. Bitte schreiben Sie, warum Sie sie trotzdem freigeben.',
  eingang_summe: 'Netto und Umsatzsteuer ergeben zusammen nicht den Bruttobetrag.',
  lastschrift_mandat_frist:
    'An diesem Tag ist ein Mandat schon abgelaufen (36 Monate ohne Einzug). Bitte wählen Sie einen früheren Tag oder ' +
    'holen Sie ein neues Mandat ein.',
  already_done:
    'Das wurde schon ausgeführt, aber die Antwort ist verloren gegangen. Bitte laden Sie die Seite neu. Wenn ' +
    'dabei ein Code oder Link entstanden ist, erstellen Sie bitte einen neuen.',
  too_many_keys:
    'Sie haben heute schon sehr viel gespeichert, vermutlich mit einem Programm. Bitte versuchen Sie es morgen wieder.',
  eingang_eigene:
    'Der Verkäufer dieser Rechnung sind Sie selbst. Sie ist nichts, was Sie bezahlen: Bitte lehnen Sie sie hier ab ' +
    'und buchen Sie Ihre Leistung bei den Rechnungen.',
  eingang_abschlaege:
    'Laut dieser Rechnung ist schon etwas gezahlt. Bitte tragen Sie unter „Angaben“ ein, wie viel Vorsteuer noch ' +
    'abziehbar ist, ohne die der früheren Abschläge.',
  vorsteuer_art: 'Bitte wählen Sie, was mit der Umsatzsteuer geschieht.',
  vorsteuer_satz: 'Möglich sind 19 % und 7 %.',
  vorsteuer_betrag: 'Abziehbar ist höchstens die Umsatzsteuer der Rechnung.',
  erhalten: 'Der Tag, an dem die Rechnung bei Ihnen war, spätestens heute.',
  eingang_zahlung_art: 'Bitte wählen Sie Zahlung oder Skonto.',
  eingang_zahllauf:
    'Eine Überweisungsdatei bezahlt diese Rechnung. Bitte ziehen Sie zuerst die Datei zurück; sie steht unter ' +
    '„Überweisungen“.',
  beleg_stand:
    'Das Dokument sieht inzwischen anders aus, etwa durch geänderte Einstellungen. Bitte prüfen Sie es noch einmal.',
  datev_ausfuhr:
    'Inzwischen hat jemand einen Stapel heruntergeladen. Bitte prüfen Sie die neue Vorschau und laden Sie den Stapel ' +
    'dann erneut herunter.',
  zahllauf_zahl: 'Bitte wählen Sie 1 bis 1.000 Rechnungen.',
  zahllauf_posten: 'Diese Überweisungen lassen sich nicht lesen. Bitte laden Sie die Seite neu.',
  zahllauf_tag: 'Überwiesen werden kann an einem Banktag ab heute, höchstens ein Jahr im Voraus.',
  zahllauf_konto: 'Für Überweisungen fehlt die eigene IBAN. Bitte ergänzen Sie die Einstellungen.',
  zahllauf_rechnung:
    'Nicht überweisbar: {nummern}. Eine Rechnung ist inzwischen bezahlt, steht in einer anderen Datei oder ist nicht ' +
    'mehr freigegeben, oder ihre IBAN hat sich geändert. Bitte laden Sie die Seite neu.',
  zahllauf_zurueck: 'Diese Datei ist schon zurückgezogen. Bitte laden Sie die Seite neu.',
  konto_ziffern: 'Ein Konto besteht nur aus Ziffern.',
  kreditor_doppelt: 'Einen Lieferanten mit dieser USt-IdNr. gibt es schon.',
  zahlung_datum: 'Das Datum einer Zahlung darf nicht in der Zukunft liegen.',
  zahlung_null: 'Der Betrag darf nicht null sein.',
  zahlung_art: 'Bitte wählen Sie Zahlung, Skonto, Ausfall oder Mahnkosten.',
  mahnkosten_offen:
    'Von dieser Rechnung ist noch etwas offen. Bitte tragen Sie zuerst die Zahlung der Rechnung ein, danach die ' +
    'Mahnkosten.',
  mahnkosten_hoch:
    'So viel haben die Mahnungen dieser Rechnung nicht gefordert. Bitte prüfen Sie den Betrag, oder bestätigen Sie ' +
    'ihn.',
  zahlung_rueck:
    'Zurückgezahlt werden kann höchstens, was bis zu diesem Tag gezahlt wurde. Skonto zählt nicht als Geld.',
  zahlung_rueck_zuerst:
    'Von dieser Zahlung ist schon etwas zurückgezahlt. Bitte nehmen Sie zuerst die Rückzahlung zurück.',
  zahlung_storniert:
    'Diese Rechnung ist storniert. Geld, das trotzdem gekommen ist, ist ein Guthaben des Kunden: Bitte bestätigen ' +
    'Sie, dass mehr gezahlt wurde.',
  zahlung_zu_hoch:
    'Der Betrag ist höher als der offene Betrag. Bitte prüfen Sie ihn, oder bestätigen Sie die Überzahlung.',
  zahlung_zurueck: 'Diese Zahlung ist bereits zurückgenommen. Bitte laden Sie die Seite neu.',
  cashflow_zeitraum: 'Das Ende des Zeitraums liegt nach dem Anfang, höchstens zehn Jahre später.',
  ort_art: 'Bitte wählen Sie Habitatbäume, KAWM, Waldbestand oder Kataster.',
  cashflow_schritt: 'Bitte wählen Sie Monate oder Wochen.',
  umsaetze:
    'Die Umsätze dieser Datei sind nicht lesbar. Bitte laden Sie den Kontoauszug noch einmal bei Ihrer Bank herunter.',
  umsatz_frei: 'Diesem Umsatz ist keine Rechnung zugeordnet. Bitte laden Sie die Seite neu.',
  zuordnungen: 'Diese Zuordnung lässt sich nicht lesen. Bitte laden Sie die Seite neu.',
  zeitraum: 'Bitte wählen Sie einen Zeitraum zwischen 2000 und 2199, der nicht endet, bevor er beginnt.',
  umsatz_verbraucht: 'Von diesem Umsatz ist nicht mehr so viel übrig. Bitte laden Sie die Seite neu.',
  mahnung_stand: 'Gemahnt werden kann nur, was überfällig und noch offen ist.',
  mahnung_einzug: 'Diese Rechnung wird eingezogen. Gemahnt werden kann, wenn der Einzug nichts gebracht hat.',
  mahnung_stufe: 'Diese Stufe ist nicht die nächste. Bitte laden Sie die Seite neu.',
  mahnung_frueh:
    'Diese Stufe ist erst ab dem {tag} möglich: Bis dahin laufen die Frist und die Wartezeit für Überweisungen.',
  mahnung_datum: 'Eine Mahnung trägt das Datum von heute oder von morgen.',
  mahnung_faellig: 'Die neue Frist liegt nach dem Tag der Mahnung und höchstens ein Jahr danach.',
  mahnung_gebuehr:
    'Die Gebühr liegt zwischen 0 und 999.999,99 € und hat höchstens zwei Stellen nach dem Komma.',
  mahnung_zinsen_ab:
    'Zinsen laufen frühestens ab dem Tag nach der Fälligkeit und nicht über den Tag der Mahnung hinaus.',
  mahnung_zinsen_privat:
    'Privatpersonen schulden Zinsen erst nach der ersten Mahnung, oder dreißig Tage nach Fälligkeit und Zugang, ' +
    'wenn die Rechnung darauf hingewiesen hat (§ 286 BGB).',
  mahnung_pauschale:
    'Die Pauschale wird je Forderung einmal verlangt und nie von Privatpersonen (§ 288 Abs. 5 BGB).',
  basiszins_fehlt:
    'Für das Halbjahr ab dem {tag} ist kein Basiszinssatz eingetragen. Er steht auf bundesbank.de unter ' +
    '„Basiszinssatz“; tragen Sie ihn in den Einstellungen der Buchhaltung ein.',
  kleinunternehmer_ab: 'Jeder Wechsel braucht einen gültigen Tag; an einem Tag ist nur ein Wechsel möglich.',
  besteuerung_ab: 'Jeder Wechsel braucht den ersten Tag eines Monats, jeden nur einmal.',
  basiszins:
    'Ein Basiszinssatz gilt ab dem 1. Januar oder 1. Juli, liegt zwischen −5 und 20 % mit zwei Stellen und ' +
    'nennt seine Quelle; je Halbjahr einer.',
  glaeubiger_id: 'Diese Gläubiger-ID stimmt nicht. Sie steht im Schreiben der Bundesbank und hat 18 Zeichen.',
  mandat_referenz: 'Bis zu 35 Buchstaben, Ziffern und Zeichen wie - . / ohne Leerzeichen und Umlaute.',
  mandat_doppelt: 'Diese Mandatsreferenz gibt es schon. Jedes Mandat braucht eine eigene.',
  mandat_tag: 'Der Tag der Unterschrift, spätestens heute.',
  mandat_inhaber: 'Der Name des Kontoinhabers, höchstens 70 Zeichen.',
  mandat_bic: 'Eine BIC hat 8 oder 11 Zeichen, zum Beispiel BYLADEM1001.',
  iban_ewr:
    'Von Konten außerhalb des Europäischen Wirtschaftsraums kann hier nicht eingezogen werden. Bitte vereinbaren Sie ' +
    'mit dem Kunden eine Überweisung.',
  mandat_privat:
    'Für Privatpersonen gibt es nur die Basislastschrift: Ihr Recht auf Erstattung bleibt immer bestehen.',
  privat_mandat:
    'Der Kunde hat ein Mandat für Firmenlastschriften, das es für Privatpersonen nicht gibt. Bitte widerrufen Sie es ' +
    'zuerst.',
  mandat_art: 'Bitte wählen Sie Basislastschrift oder Firmenlastschrift.',
  mandat_widerrufen: 'Dieses Mandat ist schon widerrufen. Bitte laden Sie die Seite neu.',
  lastschrift_zahl: 'Bitte wählen Sie 1 bis 2.000 Rechnungen.',
  lastschrift_tag:
    'Der Einzug ist nur an einem Banktag möglich. Die Bank braucht einen Banktag Vorlauf; höchstens geht es ein Jahr ' +
    'im Voraus.',
  lastschrift_angekuendigt:
    'Mindestens eine dieser Rechnungen kündigt einen späteren Tag an. Bitte wählen Sie frühestens diesen.',
  lastschrift_konto: 'Für Lastschriften fehlen IBAN oder Gläubiger-ID. Bitte ergänzen Sie die Einstellungen.',
  lastschrift_rechnung:
    'Mindestens eine dieser Rechnungen kann nicht mehr eingezogen werden. Bitte laden Sie die Seite neu.',
  lastschrift_zurueck: 'Diese Datei ist schon zurückgezogen. Bitte laden Sie die Seite neu.',
  versand_art: 'Versendet werden können Rechnungen, Angebote und Mahnungen.',
  versand_beleg: 'Versendet werden kann nur, was ausgestellt ist.',
  versand_zehn: 'Höchstens zehn Adressen auf einmal.',
  versand_wartet: 'Eine E-Mail an diese Adresse wird gerade gesendet. Bitte warten Sie einen Moment.',
  versand_unterwegs: 'Die E-Mail ist schon versendet und lässt sich nicht mehr zurückziehen.',
  platzhalter_offen: 'Ein Platzhalter ist noch nicht ausgefüllt.',
  versand_weg: 'Bitte wählen Sie E-Mail, Portal oder Post.',
  ausgestellt:
    'Ausgestellte Belege können nicht mehr geändert werden. Eine Rechnung nehmen Sie mit einem Storno oder in ' +
    'Teilen mit einer Korrektur zurück, ein Angebot mit einer neuen Fassung.',
  storniert: 'Diese Rechnung ist bereits storniert.',
  storno_entwurf: 'Ein Entwurf wird nicht storniert. Bitte löschen Sie ihn.',
  storno_kopie: 'Ein Storno wird nicht kopiert. Bitte kopieren Sie die stornierte Rechnung.',
  storno_von_storno: 'Ein Storno kann nicht storniert werden. Bitte stellen Sie eine neue Rechnung.',
  archiv_offen: 'Ins Archiv kommen nur bezahlte und stornierte Rechnungen.',
  archiv_angebot_offen:
    'Ins Archiv kommen nur abgelehnte, abgelaufene, ersetzte und ganz abgerechnete Angebote.',
  text_1000: 'Höchstens 1.000 Zeichen, ohne Steuerzeichen.',
  text_2000: 'Höchstens 2.000 Zeichen, ohne Steuerzeichen.',
  link_angebot:
    'Dieses Angebot ist schon beantwortet oder durch eine neue Fassung ersetzt. Ein Link hilft hier nicht mehr.',
  link_gueltig: 'Bitte einen Tag ab heute, höchstens bis zum Ende der Gültigkeit des Angebots.',
  link_viele:
    'Zu diesem Angebot gibt es schon 20 offene Links. Bitte ziehen Sie zuerst die zurück, die niemand mehr braucht.',
  link_stunde:
    'In der letzten Stunde wurden schon 100 Links gemacht. Bitte warten Sie etwas und versuchen Sie es dann wieder.',
  link_benutzt: 'Dieser Link wurde inzwischen benutzt. Bitte laden Sie die Seite neu.',
  link_zurueckgezogen: 'Dieser Link ist schon zurückgezogen. Bitte laden Sie die Seite neu.',
  angebot_status: 'Dieser Statuswechsel ist nicht möglich. Bitte laden Sie die Seite neu.',
  angebot_abgelaufen: 'Dieses Angebot ist abgelaufen. Bitte fragen Sie nach einem neuen.',
  angebot_abgerechnet: 'Dieses Angebot ist teilweise abgerechnet und kann nicht mehr abgelehnt werden.',
  angebot_kunde:
    'Der Kunde kann hier nicht wechseln: Der Beleg gehört zu einem Angebot eines anderen Kunden.',
  angebot_nicht_angenommen:
    'Nur angenommene Angebote werden abgerechnet. Bitte halten Sie zuerst die Annahme fest.',
  angebot_entscheidung: 'Bitte wählen Sie, ob das Angebot angenommen oder abgelehnt ist.',
  angebot_gueltig: 'Das Angebot muss mindestens bis zu seinem Datum gelten.',
  angebot_auswahl: 'Bitte wählen Sie Positionen dieses Angebots, jede einmal und mit einer Menge.',
  angebot_alternative: 'Von einer Position und ihren Alternativen kann nur eine beauftragt werden.',
  angebot_leer: 'Dieses Angebot ist schon vollständig abgerechnet.',
  mehr_als_angeboten:
    'Es wird mehr abgerechnet als angeboten. Bitte prüfen Sie die Menge, oder bestätigen Sie die Abweichung.',
  datum_vor_letzter: 'Das Datum liegt vor dem zuletzt ausgestellten Beleg. Bitte wählen Sie ein späteres.',
  datum_zukunft: 'Das Datum liegt in der Zukunft. Bitte wählen Sie spätestens heute.',
  beleg_zeitraum: 'Das Ende der Leistung liegt vor ihrem Beginn, oder der Beginn fehlt.',
  iban: 'Das ist keine gültige IBAN. Bitte prüfen Sie die Ziffern.',
  ust_id: 'Das ist keine gültige USt-IdNr. Bitte prüfen Sie die Zeichen.',
  logo_leer: 'Die Datei des Logos ist leer.',
  logo_gross: 'Das Logo ist größer als 1 MB. Bitte verkleinern Sie es.',
  logo_art: 'Das Logo ist weder ein PNG noch ein JPEG noch ein SVG. Bitte wählen Sie eine andere Datei.',
  logo_masse:
    'Das Bild des Logos ist zu groß: höchstens 6.000 Bildpunkte je Seite und 16 Millionen im Ganzen. Bitte ' +
    'verkleinern Sie es.',
  logo_svg_kaputt: 'Das SVG des Logos lässt sich nicht lesen. Bitte exportieren Sie es neu.',
  logo_svg_aktiv:
    'Das SVG des Logos enthält Skripte oder Verweise nach außen. Bitte exportieren Sie es als einfache Zeichnung.',
  logo_svg_schwer:
    'Das SVG des Logos ist zu verschachtelt oder hat zu viele Teile. Bitte vereinfachen Sie es, oder nehmen ' +
    'Sie ein PNG.',
  steuernummer: 'Das ist keine gültige Steuernummer.',
  leitweg_id: 'Das ist keine gültige Leitweg-ID. Bitte prüfen Sie die Zeichen.',
  betrag: 'Bitte Beträge mit zwei Stellen nach dem Komma.',
  felder: 'Der Server kennt eine dieser Angaben nicht. Bitte laden Sie die Seite neu.',
  nummernkreis_begonnen:
    'Aus diesem Nummernkreis sind schon Nummern vergeben. Der Zähler kann nicht mehr gesetzt werden.',
  nummernkreis_muster:
    'Im Muster fehlt die Stelle für die Nummer ({NNNN}), oder bei jährlicher Zählung die für das Jahr ({JJJJ}).',
  nummernkreis_doppelt: 'Mit diesem Muster würde eine Nummer doppelt vergeben. Bitte wählen Sie ein anderes.',
  position_anzahl: 'Ein Beleg hat höchstens 1.000 Positionen.',
  position_wert:
    'Ein Wert einer Position ist nicht zulässig. Bitte prüfen Sie Menge, Preis, Rabatt und Texte.',
  position_beleg: 'Bitte geben Sie genau eine Rechnung oder ein Angebot an.',
  karte_ohne_scan: 'Zu diesem Plan gibt es noch keinen Scan. Bitte laden Sie ihn zuerst hoch.',
  karte_ohne_methode:
    'Zu diesem Plan ist noch keine Transformation gespeichert. Bitte wählen Sie eine, und ' +
    'speichern Sie die Passpunkte.',
  karte_punkte_wenige:
    'Für diese Transformation sind zu wenige Passpunkte gespeichert. Bitte setzen Sie weitere, oder wählen Sie ' +
    'eine andere.',
  karte_scan_zerlegt: 'Dieser Scan ist schon für die Ansicht aufbereitet. Bitte laden Sie die Seite neu.',
  karte_scan_aelter:
    'Ein neuerer Scan hat diesen abgelöst. Nur der neueste wird für die Ansicht aufbereitet.',
  karte_zerlegen_laeuft:
    'Dieser Scan wird schon für die Ansicht aufbereitet. Bitte warten Sie, bis er fertig ist.',
  karte_auftrag_laeuft:
    'Zu diesem Plan wird schon ein Ergebnis erzeugt. Bitte warten Sie, bis es fertig ist, oder ' +
    'brechen Sie es ab.',
  karte_datei_in_arbeit:
    'Aus diesem Scan wird gerade ein Ergebnis erzeugt. Bitte warten Sie, bis es fertig ist, oder brechen Sie es ab.',
  karte_datei_im_mosaik:
    'Aus diesem Plan wird gerade ein Mosaik erzeugt. Bitte warten Sie, bis es fertig ist, oder brechen Sie es ab.',
  karte_mosaik_zahl: 'Bitte wählen Sie 2 bis 24 verschiedene Pläne.',
  karte_mosaik_kunde: 'Die Pläne gehören verschiedenen Kunden. Bitte wählen Sie nur Pläne eines Kunden.',
  karte_mosaik_ergebnis:
    'Einer der Pläne ist noch nicht in die Karte entzerrt. Bitte entzerren Sie ihn zuerst, oder lassen Sie ihn weg.',
  karte_mosaik_name: 'Bitte geben Sie dem Mosaik einen Namen mit höchstens 200 Zeichen.',
  karte_mosaik_epsg: 'Dieses Koordinatensystem kennt der Server nicht.',
  karte_mosaik_res: 'Bitte eine Zahl größer als 0 wie 0,25 eingeben.',
  karte_mosaik_lage: 'Diese Art der Überlappung gibt es nicht.',
  karte_mosaik_viele:
    'Vier Ihrer Mosaike sind noch nicht fertig. Bitte warten Sie auf eines, oder brechen Sie eines ab.',
  karte_mosaik_blatt_fehlt:
    'Einer der Pläne, aus denen es gemacht wurde, oder sein Ergebnis ist gelöscht. Bitte führen Sie die Blätter ' +
    'in der Liste der Pläne neu zusammen.',
  karte_mosaik_gross:
    'Das Mosaik hätte mehr als eine Milliarde Pixel oder wäre an einer Seite länger als 100.000. Bitte wählen ' +
    'Sie eine gröbere Auflösung, oder prüfen Sie, ob alle Blätter richtig liegen.',
  karte_blatt_fehlt:
    'Das Ergebnis eines der Blätter liegt nicht mehr auf dem Server. Bitte entzerren Sie den Plan noch einmal.',
  karte_gitter:
    'Auf diesem Server fehlt das Gitter für eines der Koordinatensysteme. Bitte wenden Sie sich an den Support.',
  karte_verfahren: 'Dieses Verfahren gibt es nicht.',
  karte_kompression: 'Diese Kompression gibt es nicht.',
  karte_bild:
    'Die Datei lässt sich nicht lesen: sie ist beschädigt oder unvollständig. Bitte öffnen Sie sie in einem ' +
    'Bildprogramm, und speichern Sie sie neu.',
  karte_abgeschnitten:
    'Die Datei hört mitten im Bild auf. Vermutlich ist das Kopieren oder Scannen abgebrochen: Bitte kopieren Sie ' +
    'sie noch einmal von der Quelle, und laden Sie sie dann hoch.',
  karte_pdf_kennwort:
    'Dieses PDF ist mit einem Passwort geschützt. Bitte speichern Sie es ohne Passwort, und laden Sie es dann hoch.',
  karte_tiff_lerc:
    'Dieses TIFF ist mit LERC gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_lzma:
    'Dieses TIFF ist mit LZMA gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_zstd:
    'Dieses TIFF ist mit ZSTD gepackt, was wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_art:
    'Dieses TIFF ist in einer Art gepackt, die wir nicht lesen. Bitte speichern Sie es mit DEFLATE, LZW oder JPEG.',
  karte_tiff_tiefe:
    'Die Werte dieses TIFF haben 64 Bit, was wir nicht lesen. Bitte speichern Sie es mit 8, 16 oder 32 Bit.',
  karte_pixel:
    'Das Bild ist zu groß. Es darf höchstens 400 Millionen Pixel haben, an jeder Seite höchstens 200.000.',
  karte_platz:
    'Auf dem Server ist kein Speicherplatz mehr frei. Es ist nichts verloren; bitte wenden Sie sich an den Support.',
  karte_speicher:
    'Der Auftrag braucht mehr Arbeitsspeicher, als er haben darf. Bitte wählen Sie eine gröbere Auflösung.',
  karte_zeit:
    'Der Auftrag wurde nicht rechtzeitig fertig. Bitte wählen Sie eine gröbere Auflösung, oder versuchen Sie ' +
    'es später noch einmal.',
  karte_absturz:
    'Die Bearbeitung ist dreimal abgebrochen. Bitte versuchen Sie es später noch einmal, oder wenden Sie sich ' +
    'an den Support.',
  karte_punkte_doppelt:
    'Passpunkte liegen auf derselben Stelle. Bitte löschen oder verschieben Sie einen davon.',
  karte_punkte_linie:
    'Alle Passpunkte liegen auf einer Geraden. Bitte setzen Sie einen weiteren abseits davon.',
  karte_punkte_unbestimmt:
    'Aus diesen Passpunkten lässt sich die Transformation nicht berechnen. Bitte prüfen Sie die Punkte mit den ' +
    'größten Restfehlern.',
  karte_ort:
    'Seine Passpunkte liegen weit weg von dem, was der Kunde schon hat, oder vom Bundesland seiner Anschrift. ' +
    'Meist stimmt dann das Koordinatensystem oder seine Zone nicht.',
  karte_raster_unendlich:
    'Mit diesen Passpunkten wäre das Ergebnis unendlich groß. Bitte prüfen Sie die Punkte und ihr ' +
    'Koordinatensystem.',
  karte_raster_gross:
    'Das Ergebnis hätte mehr als eine Milliarde Pixel. Bitte wählen Sie eine gröbere Auflösung, oder prüfen ' +
    'Sie die Passpunkte.',
  karte_raster_grob:
    'Ein Bildpunkt des Ergebnisses wäre über 250 Bildpunkte des Scans groß. Bitte prüfen Sie die Auflösung: ' +
    'Sie steht in der Einheit des Koordinatensystems. Leer gelassen, wird das Ergebnis so fein wie der Scan.',
  karte_gdal: 'GDAL hat den Auftrag abgelehnt. Der Fehler ist im Protokoll des Servers vermerkt.',
  karte_pdf:
    'Aus diesem PDF lässt sich auf diesem Server kein Bild machen. Bitte laden Sie den Plan als TIFF, JPEG ' +
    'oder PNG hoch.',
  karte_seite: 'Diese Seite gibt es in der Datei nicht.',
  karte_datei_fehlt:
    'Die Datei des Scans liegt nicht mehr auf dem Server. Bitte laden Sie den Scan noch einmal hoch.',
  karte_pruefung:
    'Das erzeugte Ergebnis war fehlerhaft und wurde verworfen; das vorige gilt weiter. Bitte versuchen Sie es ' +
    'noch einmal.',
  upload_typ:
    'Diese Datei ist kein Scan, der sich verwenden lässt. Bitte laden Sie TIFF, JPEG, PNG, WebP oder PDF hoch.',
  upload_hash:
    'Die Datei ist nicht so angekommen, wie sie abgeschickt wurde. Bitte laden Sie sie noch einmal hoch.',
  upload_name: 'Der Dateiname ist leer oder zu lang.',
  upload_leer: 'Diese Datei ist leer.',
  upload_offen:
    'Sie haben schon viele Uploads begonnen und nicht beendet. Bitte beenden Sie diese zuerst, oder brechen ' +
    'Sie sie ab.',
  upload_gross: 'Diese Datei ist größer, als Scans sein dürfen.',
  zeile_40: 'Eine Zeile mit höchstens 40 Zeichen.',
  unbekanntes_feld: 'Dieses Feld gibt es hier nicht.',
  habitat_art: 'Bitte wählen Sie eine Baumart aus der Liste.',
  habitat_art_text: 'Bitte schreiben Sie dazu, welche Baumart es ist.',
  habitat_bhd: 'Der Brusthöhendurchmesser liegt zwischen 0,1 und 500 cm.',
  habitat_hoehe: 'Die Höhe liegt zwischen 0,1 und 80 m.',
  habitat_zustand: 'Diesen Zustand gibt es nicht.',
  habitat_status: 'Bitte wählen Sie Habitatbaum oder Anwärter.',
  habitat_strukturen: 'Die Strukturen sind nicht lesbar: jede nur einmal, die Menge zwischen 1 und 999.',
  habitat_struktur_unbekannt: 'Eine der Strukturen steht nicht im Katalog.',
  habitat_markierung: 'Diese Art der Markierung gibt es nicht.',
  habitat_markierung_art: 'Zum Datum der Markierung gehört ihre Art.',
  habitat_datum: 'Das Datum liegt zwischen 1950 und heute.',
  habitat_lage_fehlt: 'Die Lage des Baums fehlt. Warten Sie auf eine Position oder tippen Sie auf die Karte.',
  habitat_lage: 'Diese Lage liegt außerhalb von Deutschland. Vielleicht sind Länge und Breite vertauscht.',
  habitat_genauigkeit: 'Die Genauigkeit ist eine Zahl in Metern ab 0.',
  habitat_lage_zeit: 'Die Zeit des Empfängers liegt zwischen 1980 und 2099.',
  lage_fix: 'Diese Lösung eines Empfängers gibt es nicht.',
  habitat_methode: 'Diese Art der Lagebestimmung gibt es nicht.',
  habitat_stand: 'Der Bestand ist eine ganze Zahl zwischen 0 und 1.000.000.',
  habitat_verlust: 'Diesen Grund für einen Verlust gibt es nicht.',
  habitat_verlust_datum: 'Zum Grund des Verlusts gehört sein Datum.',
  habitat_verlust_grund: 'Zum Datum des Verlusts gehört sein Grund.',
  habitat_kontrolle: 'Dieses Ergebnis einer Kontrolle gibt es nicht.',
  habitat_geloescht: 'Dieser Eintrag wurde endgültig gelöscht.',
  habitat_kennung_vergeben: 'Diese Kennung ist schon vergeben. Bitte legen Sie den Eintrag neu an.',
  habitat_nicht_erlaubt:
    'Nicht gefunden oder nicht erlaubt. Vielleicht wurde Ihr Zugang zu diesem Betrieb beendet.',
  habitat_wert: 'Ein Wert hat nicht die richtige Form.',
  habitat_erfassungen: 'Höchstens 500 Erfassungen auf einmal.',
  grenze_spur: 'Die Spur ist nicht lesbar, oder sie hat mehr als 10.000 Punkte.',
  grenze_wenig: 'Eine Fläche braucht mindestens drei Ecken.',
  grenze_ecken: 'Die Grenze hat keine oder zu viele Ecken.',
  grenze_lage: 'Diese Lage liegt außerhalb von Deutschland.',
  grenze_kreuzt: 'Die Grenze kreuzt sich selbst.',
  grenze_klein:
    'Die Fläche ist kleiner als 10 m². Vielleicht hilft es, beim Übernehmen die Überlappungen nicht ' +
    'abzuschneiden. Sonst lehnen Sie den Vorschlag ab, und die Grenze wird neu erfasst.',
  grenze_gross: 'Eine Bestandesfläche hat höchstens 10.000 ha.',
  grenze_adresse: 'Bitte geben Sie mindestens eine Ebene oder die Nummer des Bestands an.',
  grenze_adresse_vergeben: 'Einen Bestand mit dieser Adresse gibt es schon. Bitte wählen Sie eine andere.',
  grenze_toleranz: 'Die Toleranz liegt zwischen 0 und 100 m.',
  grenze_bemerkung: 'Die Bemerkung hat höchstens 2.000 Zeichen.',
  grenze_begruendung: 'Bitte schreiben Sie eine Begründung mit höchstens 2.000 Zeichen.',
  grenze_entschieden: 'Über diesen Vorschlag wurde schon entschieden. Bitte laden Sie die Seite neu.',
  grenze_bestand_fehlt:
    'Diesen Bestand gibt es nicht mehr, weil die Forsteinrichtung neu importiert wurde. Lehnen Sie den ' +
    'Vorschlag ab.',
  grenze_kennung_vergeben: 'Unter dieser Kennung liegt auf dem Server eine andere Grenze.',
  grenze_nicht_erlaubt: 'Nicht gefunden oder nicht erlaubt. Grenzen nimmt die Verwaltung auf.',
  grenze_wert: 'Ein Wert hat nicht die richtige Form.',
  grenze_erfassungen: 'Höchstens 20 Grenzen auf einmal.',
  vermessung_lage_fehlt: 'Die Lage fehlt. Messen Sie, oder setzen Sie das Objekt auf der Karte.',
  vermessung_lage: 'Diese Lage liegt außerhalb von Deutschland.',
  vermessung_linie: 'Eine Dränage hat mindestens zwei Punkte.',
  vermessung_punkte: 'Eine Linie hat höchstens 1.000 Punkte.',
  vermessung_laenge: 'Eine Dränage ist zwischen 1 cm und 20 km lang.',
  vermessung_zone: 'Die Lage ist nicht im Koordinatensystem dieses Kunden.',
  vermessung_dn: 'Die Nennweite liegt zwischen 1 und 10.000 mm.',
  vermessung_hoehe: 'Eine Höhe liegt zwischen −500 und 9.000 m.',
  vermessung_tiefe: 'Die Tiefe liegt zwischen 0 und 1.000 m.',
  vermessung_gefaelle: 'Das Gefälle liegt zwischen −100 und 100 %.',
  vermessung_abstand: 'Der Abstand ist eine Zahl in Metern ab 0.',
  vermessung_baujahr: 'Das Baujahr liegt zwischen 1700 und 2100.',
  vermessung_genauigkeit: 'Die Genauigkeit ist eine Zahl in Zentimetern ab 0.',
  vermessung_datum: 'Das Datum liegt zwischen 1700 und heute.',
  vermessung_loeschgrund: 'Bitte sagen Sie in einer Zeile, warum das Objekt gelöscht wird.',
  vermessung_geloescht: 'Dieses Objekt wurde endgültig gelöscht.',
  vermessung_kennung_vergeben: 'Diese Kennung ist schon vergeben. Bitte legen Sie das Objekt neu an.',
  vermessung_schluessel_vergeben: 'Diesen Schlüssel hat schon ein anderes Objekt des Kunden.',
  vermessung_nicht_erlaubt: 'Vermessungsobjekte erfasst nur das Team der Dränage.',
  vermessung_wert: 'Ein Wert hat nicht die richtige Form.',
  vermessung_erfassungen: 'Höchstens 500 Erfassungen auf einmal.',
  habitat_auswahl: 'Bitte wählen Sie zwischen einem und 10.000 Bäumen aus.',
  notiz_viele:
    'Hier wurden in den letzten 24 Stunden sehr viele Notizen geschrieben. Bitte warten Sie bis morgen.',
  notiz_erwaehnt:
    'Eine der erwähnten Personen kann diese Notiz nicht lesen. Bitte entfernen Sie die Erwähnung, oder machen ' +
    'Sie die Notiz für den Kunden sichtbar.',
  notiz_erwaehnt_viele: 'In einer Notiz können höchstens 20 Personen erwähnt werden.',
  notiz_dateien_voll:
    'Hier ist kein Platz für weitere Dateien. Bitte löschen Sie zuerst eine, die Sie nicht mehr brauchen.',
  notiz_datei_gross: 'Diese Datei ist zu groß. Sie darf höchstens 50 MB haben.',
  notiz_datei_typ:
    'Diese Datei lässt sich nicht anhängen. Möglich sind PDF, Bilder (JPEG, PNG, TIFF, WebP), Word, Excel, ' +
    'PowerPoint, OpenDocument, Text und CSV.',
  notiz_datei_name:
    'Der Name dieser Datei passt nicht zu ihrem Inhalt. Bitte prüfen Sie, woher sie kommt, und benennen Sie sie um.',
  notiz_datei_makro:
    'Diese Datei enthält Makros und wird deshalb nicht angenommen. Bitte speichern Sie sie ohne Makros oder als PDF.',
  bild_typ: 'Diese Datei ist kein Foto, das sich verwenden lässt. Bitte laden Sie JPEG, PNG oder WebP hoch.',
  bild_heic:
    'Fotos im Format HEIC lassen sich hier nicht öffnen. Bitte stellen Sie die Kamera auf JPEG („Maximale ' +
    'Kompatibilität“), oder wandeln Sie das Foto vorher um.',
  bild_gross: 'Dieses Foto ist zu groß. Es darf höchstens 40 MB haben.',
  bild_pixel: 'Das Foto hat zu viele Pixel. Es darf höchstens 50 Megapixel haben.',
  bild_klein: 'Das Foto ist zu klein. Es muss an jeder Seite mindestens 32 Pixel haben.',
  bild_aufwand:
    'Das Foto lässt sich nicht verarbeiten. Bitte speichern Sie es in einem Bildprogramm neu als JPEG.',
  bild_kaputt:
    'Das Foto lässt sich nicht lesen: es ist beschädigt oder unvollständig. Bitte nehmen Sie es noch einmal auf.',
  habitat_bilder_viele: 'Zu einem Baum gehören höchstens 50 Fotos.',
  vermessung_bilder_viele: 'Zu einem Vermessungsobjekt gehören höchstens 50 Fotos.',
  habitat_wort: 'Dieses Wort steht für keinen der möglichen Werte.',
  habitat_datei_doppelt: 'Dieser Baum steht zweimal in der Datei.',
  geometrie_leer: 'Die Zeile hat keine Lage.',
  geometrie_kaputt: 'Die Lage lässt sich nicht lesen.',
  geometrie_art: 'Die Lage ist kein einzelner Punkt.',
  ort_ausserhalb:
    'Die Lage ist nicht in Deutschland. Bitte prüfen Sie das Koordinatensystem, und ob Ost- und Nordwert vertauscht ' +
    'sind.',
  text_zu_lang: 'Dieser Text ist zu lang.',
  steuerzeichen: 'Der Text enthält Zeichen, die nicht zulässig sind.',
  ja_nein_ungueltig: 'Hier wird ja oder nein erwartet.',
  zahl_ungueltig: 'Hier wird eine Zahl erwartet.',
  zahl_ausserhalb: 'Diese Zahl ist für das Feld zu klein oder zu groß.',
  tag_ungueltig: 'Hier wird ein Datum erwartet.',
  // Import and export of the survey.
  format_unbekannt:
    'Dieses Format kennt das Programm nicht. Bitte wählen Sie GeoPackage, GeoJSON, FlatGeobuf, GML, DXF, CSV oder ' +
    'ein ZIP mit den Dateien eines Shapefiles.',
  zeichnung_geschlossen:
    'Diese Zeichnung liegt als DWG oder als binäre DXF vor, die das Programm nicht lesen kann. Bitte speichern Sie ' +
    'sie im CAD-Programm als DXF (ASCII).',
  gml_doctype:
    'Diese XML-Datei enthält eine Dokumenttyp-Deklaration (DOCTYPE); das Programm liest sie aus Sicherheitsgründen ' +
    'nicht. Bitte exportieren Sie sie als GML ohne DOCTYPE oder als GeoPackage.',
  gml_verweise:
    'In dieser GML stehen keine Geometrien, sondern nur Verweise darauf (xlink), denen das Programm nicht folgt. ' +
    'Bitte exportieren Sie sie mit eingebetteten Geometrien, oder wandeln Sie sie zum Beispiel mit QGIS in ein ' +
    'GeoPackage um.',
  nur_koerper:
    'Das Shapefile enthält Körper (MultiPatch), die wir nicht übernehmen. Bitte speichern Sie in Ihrem GIS die ' +
    'Grundrisse als Flächen, und importieren Sie diese.',
  nur_sichten:
    'In der Datei sind nur Sichten (Views), die das Programm aus Sicherheitsgründen nicht ausführt. Bitte speichern ' +
    'Sie sie in Ihrem GIS als Tabellen, in QGIS mit „Exportieren“, „Objekte speichern als“, und laden Sie diese ' +
    'Datei hoch.',
  datei_kaputt:
    'Die Datei lässt sich nicht lesen: Sie ist beschädigt oder unvollständig. Bitte exportieren Sie sie neu.',
  datei_aufwand:
    'Die Datei ließ sich nicht lesen: Sie braucht dafür zu viel Speicher oder Zeit. Bitte teilen Sie sie auf, ' +
    'oder exportieren Sie sie neu.',
  keine_schicht:
    'In der Datei ist nichts, was sich importieren lässt. Bitte prüfen Sie, ob sie Punkte oder Linien enthält.',
  zip_zu_gross: 'Das ZIP-Archiv ist entpackt zu groß. Bitte teilen Sie es auf.',
  zip_verschluesselt: 'Das ZIP-Archiv ist mit einem Passwort geschützt. Bitte packen Sie es ohne Passwort.',
  zu_viele_objekte: 'Die Datei enthält mehr als 250.000 Objekte. Bitte teilen Sie sie auf.',
  zu_viele_spalten:
    'Eine Tabelle der Datei hat mehr als 500 Spalten. Bitte lassen Sie weg, was Sie nicht brauchen.',
  import_datei_gross: 'Die Datei ist größer als {mb} MB. Bitte teilen Sie sie auf.',
  import_kein_platz: 'Auf dem Server ist kein Speicherplatz mehr frei. Bitte wenden Sie sich an den Support.',
  import_schon_fertig: 'Diese Datei ist schon importiert. Laden Sie sie für einen weiteren Import neu hoch.',
  import_datei_weg: 'Die Datei liegt nicht mehr auf dem Server. Bitte laden Sie sie noch einmal hoch.',
  import_laeuft: 'Für diesen Kunden läuft schon ein Import. Bitte warten Sie, bis er fertig ist.',
  import_modus: 'Bitte wählen Sie, was mit vorhandenen Objekten geschieht.',
  import_ohne_schicht: 'Bitte wählen Sie mindestens eine Schicht.',
  import_schicht_fremd: 'Diese Schicht gibt es in der Datei nicht.',
  import_tabelle: 'Bitte wählen Sie, was die Schicht „{schicht}“ enthält.',
  import_epsg:
    'Das Koordinatensystem der Schicht „{schicht}“ kann dieser Server nicht umrechnen. Bitte wählen Sie ein anderes.',
  import_ort: 'Bitte wählen Sie die Spalten mit Ost- und Nordwert der Schicht „{schicht}“.',
  upload_viele:
    'Von Ihnen werden schon {zahl} Dateien angenommen. Bitte warten Sie, bis die erste fertig ist.',
  import_voll:
    'Der Server nimmt gerade schon {zahl} Dateien an. Bitte versuchen Sie es in einer Minute noch einmal.',
  export_epsg: 'Dieses Koordinatensystem kann der Server nicht umrechnen.',
  // Only where the person's page is older than the database, or a program calls.
  app_status: 'Bitte wählen Sie „aktiv“ oder „gesperrt“.',
  datum: 'Bitte geben Sie ein Datum bis zum Jahr 2100 ein.',
  einstellungen: 'Diese Einstellungen lassen sich nicht speichern.',
  geb: 'Bitte geben Sie ein Geburtsdatum zwischen 1900 und gestern ein.',
  import_rows: 'Ein Import hat höchstens 20.000 Zeilen. Bitte teilen Sie die Datei auf.',
  kawm_modul_aus: 'Das Modul KAWM ist für diesen Forstbetrieb nicht freigeschaltet.',
  kawm_nachweis: 'Dieser Nachweis lässt sich nicht lesen. Bitte laden Sie die Seite neu.',
  kawm_tag: 'Der Stichtag liegt zwischen dem Jahr 2000 und heute.',
  modul: 'Dieses Modul gibt es nicht.',
  punkte_liste: 'Ein Plan hat höchstens 10.000 Passpunkte.',
  rolle: 'Diese Rolle gibt es nicht.',
  set_up_done: 'Es gibt schon eine Verwaltung. Bitte melden Sie sich an.',
  pruefer_allein:
    'Wer die Buchhaltung prüft, hat sonst keine Rolle und keine Zugehörigkeit. Bitte legen Sie für die Prüfung ' +
    'ein eigenes Konto an, oder beenden Sie erst die Prüfung.',
  pruefer_bis: 'Bitte wählen Sie einen Tag von heute an, höchstens zwei Jahre voraus.',
  system_status: 'Diese Grundrolle gibt es nicht.',
  tabelle_unbekannt: 'Diese Art von Objekten gibt es nicht.',
  columns: 'Mindestens eines der geänderten Felder dürfen Sie nicht ändern.',
  account_disabled: 'Ihr Zugang ist gesperrt. Bitte wenden Sie sich an den Support.',
  session_ended: 'Ihre Sitzung wurde beendet. Bitte melden Sie sich neu an.',
}
