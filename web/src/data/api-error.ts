// What can go wrong with a call, in our codes and in German. One table per dialect; components show `message` as it is.
import type { ErrorCode, FieldFault } from '#contract/errors.ts'
import { t } from '../ui/text.ts'

/** A failed call. `message` is German and fit for the screen. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ErrorCode
  readonly status: number
  readonly fields: readonly FieldFault[]
  /** What the server called it: PGRST…, a SQLSTATE or a number of the general API. */
  readonly origin: string | undefined
  /** A stable word of the rule that was broken, where the database gives one. */
  readonly rule: string | undefined
  /** For the support call: what the server said, untranslated. */
  readonly detail: string | undefined
  /** With changed_meanwhile: the row as it stands now. */
  readonly current: unknown
  constructor(code: ErrorCode, message: string, more: ApiErrorMore = {}) {
    super(message)
    this.code = code
    this.status = more.status ?? 0
    this.fields = more.fields ?? []
    this.origin = more.origin
    this.rule = more.rule
    this.detail = more.detail
    this.current = more.current
  }
}
interface ApiErrorMore {
  status?: number
  fields?: readonly FieldFault[]
  origin?: string | undefined
  rule?: string | undefined
  detail?: string | undefined
  current?: unknown
}

const TEXTS: Record<ErrorCode, string> = {
  not_signed_in: 'Sie sind nicht angemeldet. Bitte melden Sie sich an.',
  session_expired: 'Ihre Sitzung ist abgelaufen. Bitte melden Sie sich neu an.',
  account_disabled: 'Ihr Zugang ist gesperrt oder Ihre Sitzung wurde beendet. Bitte wenden Sie sich an den Support.',
  not_allowed: 'Dafür fehlt Ihnen die Berechtigung.',
  not_found: 'Nicht gefunden oder nicht erlaubt.',
  bad_filter: 'Diese Suche oder Filterung versteht der Server nicht. Bitte setzen Sie die Filter zurück.',
  bad_value: 'Eine Angabe ist ungültig. Bitte prüfen Sie Ihre Eingaben.',
  conflict: 'Das geht nicht, weil es mit vorhandenen Daten zusammenstößt.',
  changed_meanwhile: 'Der Datensatz wurde inzwischen geändert. Bitte laden Sie ihn neu.',
  too_large: 'Die Daten sind zu groß. Bitte teilen Sie sie auf.',
  too_many_requests: 'Zu viele Anfragen in kurzer Zeit. Bitte warten Sie einen Augenblick.',
  timeout: 'Der Server hat nicht rechtzeitig geantwortet. Bitte versuchen Sie es noch einmal.',
  unavailable: 'Der Server ist zurzeit nicht erreichbar. Bitte versuchen Sie es gleich noch einmal.',
  internal: 'Auf dem Server ist ein Fehler aufgetreten. Bitte versuchen Sie es noch einmal oder rufen Sie den Support an.',
}
export const errorText = (code: ErrorCode): string => t(TEXTS[code])

/** Codes of the dialect and of PostgreSQL that mean something more exact than their class. */
const BY_ORIGIN: Readonly<Record<string, ErrorCode>> = {
  PGRST000: 'unavailable',
  PGRST001: 'unavailable',
  PGRST002: 'unavailable',
  PGRST003: 'timeout',
  PGRST102: 'bad_value',
  PGRST116: 'not_found',
  PGRST202: 'not_found',
  PGRST204: 'bad_value',
  PGRST205: 'not_found',
  PGRST301: 'not_signed_in',
  PGRST302: 'not_signed_in',
  '21000': 'bad_filter',
  '23502': 'bad_value',
  '23503': 'conflict',
  '23505': 'conflict',
  '23514': 'bad_value',
  '42501': 'not_allowed',
  '42703': 'bad_filter',
  '53100': 'unavailable',
  '57014': 'timeout',
  // general API
  '50008': 'not_signed_in',
  '50012': 'account_disabled',
  '50014': 'session_expired',
}
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  400: 'bad_value',
  401: 'not_signed_in',
  403: 'not_allowed',
  404: 'not_found',
  405: 'not_allowed',
  406: 'not_found',
  408: 'timeout',
  409: 'conflict',
  413: 'too_large',
  414: 'bad_filter',
  416: 'bad_filter',
  429: 'too_many_requests',
  502: 'unavailable',
  503: 'unavailable',
  504: 'timeout',
}

/** Rules that the database names in `hint`, where the general sentence would not help. */
const BY_RULE: Readonly<Record<string, string>> = {
  last_admin: 'Der letzte Administrator kann nicht entfernt oder gesperrt werden. Bitte ernennen Sie zuerst einen anderen.',
  mail_taken: 'Diese E-Mail-Adresse kann nicht verwendet werden. Sie gehört bereits zu einem Zugang.',
  email: 'Das ist keine gültige E-Mail-Adresse.',
  future: 'Das Datum muss in der Zukunft liegen.',
  epsg: 'Das Koordinatensystem der Fläche passt nicht zum Koordinatensystem des Kunden.',
  geometry: 'Die Fläche ist kein gültiges Polygon.',
  area_place: 'Die Fläche liegt nicht in Deutschland. Vermutlich stimmt das Koordinatensystem nicht, oder die Achsen sind vertauscht.',
  area_changed: 'Die Fläche wurde inzwischen von jemand anderem geändert. Bitte laden Sie die Seite neu.',
  abo_laeuft: 'Für diesen Forstbetrieb läuft bereits ein passendes Abo. Es kann erst nach seinem Ende neu begonnen werden.',
  abo_nicht_aktiv: 'Dieses Abo ist bereits gekündigt oder beendet. Bitte laden Sie die Seite neu.',
  abo_nicht_gekuendigt: 'Dieses Abo ist nicht gekündigt. Bitte laden Sie die Seite neu.',
  fb_disabled: 'Dieser Forstbetrieb ist nicht freigeschaltet. Bitte wenden Sie sich an den Support.',
  code_gezeigt:
    'Der Code dieses Gutscheins wurde schon angezeigt und kann nicht noch einmal angezeigt werden. Bitte legen Sie einen neuen Gutschein an.',
  ansichten: 'Mehr Ansichten können nicht gespeichert werden. Bitte löschen Sie zuerst eine, die Sie nicht mehr brauchen.',
  datenschutz_bestaetigung: 'Die Eingabe stimmt nicht mit dem Namen des Datensatzes überein.',
  datenschutz_schon_geloescht: 'Die Daten dieser Person wurden bereits gelöscht.',
  datenschutz_selbst: 'Die eigenen Daten kann nur eine andere Person aus der Verwaltung löschen.',
  datenschutz_abo_laeuft: 'Für diesen Kunden laufen noch Abos. Bitte kündigen Sie sie zuerst.',
  datenschutz_gesperrt: 'Dieser Kunde ist gesperrt und wird nach dem Ende der Aufbewahrung von selbst gelöscht.',
  changed_meanwhile: 'Der Datensatz wurde inzwischen geändert. Bitte laden Sie ihn neu.',
  datenschutz_ogf_admin:
    'Zu diesem Kunden gehören Forstbetriebe oder Abos. Auskunft und Löschung macht deshalb die Verwaltung der Forstsparte (ogf_admin).',
  datenschutz_apus_admin:
    'Zu diesem Kunden gehören Angebote oder Rechnungen. Auskunft und Löschung macht deshalb die Verwaltung der Kartensparte (apus_admin).',
  person_geloescht: 'Die Daten dieser Person wurden gelöscht. Sie lässt sich nicht wieder herstellen; bitte legen Sie sie neu an.',
  kunde_gesperrt: 'Dieser Kunde ist gesperrt. Zu ihm kann nichts mehr angelegt oder geändert werden.',
  fehlt: 'Diese Angabe fehlt.',
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
  zeile_100: 'Eine Zeile mit höchstens 100 Zeichen.',
  zeile_200: 'Eine Zeile mit höchstens 200 Zeichen.',
  zeile_500: 'Eine Zeile mit höchstens 500 Zeichen.',
  text_4000: 'Höchstens 4.000 Zeichen, ohne Steuerzeichen.',
  text_6000: 'Höchstens 6.000 Zeichen, ohne Steuerzeichen.',
  platzhalter: 'Der Text enthält eine geschweifte Klammer, die zu keinem Platzhalter gehört.',
  vorlage_vorhanden:
    'Eine Vorlage mit dieser Bezeichnung gibt es in dieser Gruppe schon. Bitte ändern Sie die vorhandene, oder wählen Sie eine andere Bezeichnung.',
  freitext_vorhanden:
    'Einen Textbaustein mit diesem Titel gibt es in dieser Art schon. Bitte ändern Sie den vorhandenen, oder wählen Sie einen anderen Titel.',
  zahlung_beleg: 'Zahlungen gehören zu einer ausgestellten Rechnung. Bitte stellen Sie die Rechnung zuerst aus.',
  zahlung_datum: 'Das Datum einer Zahlung darf nicht in der Zukunft liegen.',
  zahlung_null: 'Der Betrag darf nicht null sein.',
  zahlung_art: 'Bitte wählen Sie Zahlung, Skonto oder Ausfall.',
  zahlung_rueck: 'Zurückgezahlt werden kann höchstens, was eingegangen ist.',
  zahlung_storniert: 'Diese Rechnung ist storniert. Zu ihr kann nur zurückgezahlt werden.',
  zahlung_zu_hoch: 'Der Betrag ist höher als der offene Betrag. Bitte prüfen Sie ihn, oder bestätigen Sie die Überzahlung.',
  zahlung_zurueck: 'Diese Zahlung ist bereits zurückgenommen. Bitte laden Sie die Seite neu.',
  umsaetze: 'Die Umsätze dieser Datei sind nicht lesbar. Bitte laden Sie den Kontoauszug noch einmal bei Ihrer Bank herunter.',
  umsatz_verbraucht: 'Von diesem Umsatz ist nicht mehr so viel übrig. Bitte laden Sie die Seite neu.',
  mahnung_stand: 'Gemahnt werden kann nur, was überfällig und noch offen ist.',
  mahnung_stufe: 'Diese Stufe ist nicht die nächste. Bitte laden Sie die Seite neu.',
  mahnung_datum: 'Eine Mahnung trägt einen Tag nach der Fälligkeit, frühestens den der letzten Mahnung und spätestens heute.',
  mahnung_faellig: 'Die neue Frist liegt nach dem Tag der Mahnung und höchstens ein Jahr danach.',
  mahnung_gebuehr: 'Die Gebühr liegt zwischen 0 und 999.999,99 € und hat höchstens zwei Stellen nach dem Komma.',
  versand_art: 'Versendet werden können Rechnungen, Angebote und Mahnungen.',
  versand_beleg: 'Versendet werden kann nur, was ausgestellt ist.',
  versand_weg: 'Bitte wählen Sie E-Mail, Portal oder Post.',
  ausgestellt:
    'Ausgestellte Belege können nicht mehr geändert werden. Eine Rechnung nehmen Sie mit einem Storno zurück, ein Angebot mit einer neuen Fassung.',
  storniert: 'Diese Rechnung ist bereits storniert.',
  storno_entwurf: 'Ein Entwurf wird nicht storniert. Bitte löschen Sie ihn.',
  storno_kopie: 'Ein Storno wird nicht kopiert. Bitte kopieren Sie die stornierte Rechnung.',
  storno_von_storno: 'Ein Storno kann nicht storniert werden. Bitte stellen Sie eine neue Rechnung.',
  archiv_offen: 'Ins Archiv kommen nur bezahlte und stornierte Rechnungen.',
  angebot_status: 'Von diesem Stand führt kein Weg dorthin. Bitte laden Sie die Seite neu.',
  angebot_abgelaufen: 'Dieses Angebot ist abgelaufen. Bitte fragen Sie nach einem neuen.',
  angebot_abgerechnet: 'Von diesem Angebot ist schon etwas abgerechnet. Es kann nicht mehr abgelehnt werden.',
  angebot_kunde: 'Der Kunde kann hier nicht wechseln: Der Beleg gehört zu einem Angebot eines anderen Kunden.',
  angebot_nicht_angenommen: 'Nur angenommene Angebote werden abgerechnet. Bitte halten Sie zuerst die Annahme fest.',
  angebot_entscheidung: 'Bitte wählen Sie, ob das Angebot angenommen oder abgelehnt ist.',
  angebot_gueltig: 'Das Angebot muss mindestens bis zu seinem Datum gelten.',
  angebot_auswahl: 'Bitte wählen Sie Positionen dieses Angebots, jede einmal und mit einer Menge.',
  angebot_leer: 'Von diesem Angebot ist nichts mehr abzurechnen.',
  mehr_als_angeboten: 'Es wird mehr abgerechnet als angeboten. Bitte prüfen Sie die Menge, oder bestätigen Sie die Abweichung.',
  datum_vor_letzter: 'Das Datum liegt vor dem zuletzt ausgestellten Beleg. Bitte wählen Sie ein späteres.',
  datum_zukunft: 'Das Datum liegt in der Zukunft. Bitte wählen Sie spätestens heute.',
  beleg_lieferant: 'In den Einstellungen fehlt die eigene Anschrift.',
  beleg_empfaenger: 'Die Anschrift des Kunden ist nicht vollständig.',
  beleg_steuernummer: 'In den Einstellungen fehlt eine gültige Steuernummer oder USt-IdNr.',
  beleg_positionen: 'Der Beleg hat keine Position. Bitte fügen Sie mindestens eine hinzu.',
  beleg_bezeichnung: 'Eine Position hat keine Bezeichnung.',
  beleg_preis: 'Ein Einzelpreis ist kleiner als null. Bitte machen Sie stattdessen die Menge negativ.',
  beleg_optional: 'Eine Rechnung hat keine optionalen oder alternativen Positionen.',
  beleg_steuergrund: 'Zu einer Position ohne Steuer fehlt der Grund der Befreiung.',
  beleg_kategorie: 'Nicht steuerbare Positionen stehen nicht neben anderen auf einer Rechnung.',
  beleg_reverse_charge: 'Für die Steuerschuldnerschaft des Empfängers fehlt eine gültige USt-IdNr. von Ihnen oder vom Kunden.',
  beleg_leistungsdatum: 'Das Leistungsdatum fehlt. Bitte tragen Sie es ein.',
  beleg_zeitraum: 'Das Ende der Leistung liegt vor ihrem Beginn, oder der Beginn fehlt.',
  beleg_negativ: 'Der Betrag ist kleiner als null. Eine Rechnung nehmen Sie mit einem Storno zurück.',
  beleg_anzahlung: 'Die Anzahlung ist höher als der Betrag.',
  beleg_rabatt_grund: 'Zum Rabatt fehlt der Grund, der gedruckt wird.',
  beleg_leitweg: 'Für eine XRechnung fehlt beim Kunden eine gültige Leitweg-ID.',
  beleg_kontakt: 'Für eine XRechnung fehlt in den Einstellungen Ansprechpartner, Telefon oder E-Mail.',
  beleg_mail: 'Für eine XRechnung fehlt beim Kunden die E-Mail-Adresse für Rechnungen.',
  beleg_iban: 'Für eine XRechnung fehlt in den Einstellungen die IBAN.',
  iban: 'Das ist keine gültige IBAN. Bitte prüfen Sie die Ziffern.',
  ust_id: 'Das ist keine gültige USt-IdNr. Bitte prüfen Sie die Zeichen.',
  steuernummer: 'Das ist keine gültige Steuernummer.',
  leitweg_id: 'Das ist keine gültige Leitweg-ID. Bitte prüfen Sie die Zeichen.',
  betrag: 'Bitte Beträge mit zwei Stellen nach dem Komma.',
  felder: 'Der Server kennt eine dieser Angaben nicht. Bitte laden Sie die Seite neu.',
  nummernkreis_begonnen: 'Aus diesem Nummernkreis sind schon Nummern vergeben. Der Zähler kann nicht mehr gesetzt werden.',
  nummernkreis_muster: 'Im Muster fehlt die Stelle für die Nummer ({NNNN}), oder bei jährlicher Zählung die für das Jahr ({JJJJ}).',
  nummernkreis_doppelt: 'Mit diesem Muster käme eine Nummer zum zweiten Mal. Bitte wählen Sie ein anderes.',
  position_anzahl: 'Ein Beleg hat höchstens 1.000 Positionen.',
  position_wert: 'Ein Wert einer Position ist nicht zulässig. Bitte prüfen Sie Menge, Preis, Rabatt und Texte.',
  position_beleg: 'Bitte geben Sie genau eine Rechnung oder ein Angebot an.',
  columns: 'Mindestens eines der geänderten Felder dürfen Sie nicht ändern.',
  account_disabled: 'Ihr Zugang ist gesperrt. Bitte wenden Sie sich an den Support.',
  session_ended: 'Ihre Sitzung wurde beendet. Bitte melden Sie sich neu an.',
}

/** The body of a failed answer, as far as it is known: the dialect's four keys and our own. */
interface FaultBody {
  code?: unknown
  message?: unknown
  details?: unknown
  hint?: unknown
  column?: unknown
  fields?: unknown
}
const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function codeOf(status: number, origin: string | undefined, body: FaultBody): ErrorCode {
  const hint = textOf(body.hint)
  if (hint === 'account_disabled' || hint === 'session_ended') return 'account_disabled'
  if (origin === 'PGRST303') return /expired/i.test(textOf(body.message) ?? '') ? 'session_expired' : 'not_signed_in'
  if (origin === 'P0001') return 'bad_value'
  if (origin?.startsWith('22')) return 'bad_value'
  const exact = origin === undefined ? undefined : BY_ORIGIN[origin]
  if (exact) return exact
  if (origin?.startsWith('PGRST1') && status === 400) return 'bad_filter'
  return BY_STATUS[status] ?? 'internal'
}

/** Which field a fault is about: named by the server, or read from PostgreSQL's own wording. */
function fieldsOf(body: FaultBody, message: string): FieldFault[] {
  if (Array.isArray(body.fields))
    return body.fields.filter((f): f is FieldFault => typeof f?.field === 'string' && typeof f?.message === 'string')
  const said = `${textOf(body.message) ?? ''} ${textOf(body.details) ?? ''}`
  const column = textOf(body.column) ?? /column "([^"]+)"/.exec(said)?.[1] ?? /^Key \(([^),]+)\)=/.exec(textOf(body.details) ?? '')?.[1]
  const check = /violates check constraint "[^_"]+_(.+)_check"/.exec(said)?.[1]
  const field = column ?? check
  return field ? [{ field, message }] : []
}

const FIELD_TEXTS: Readonly<Record<string, string>> = {
  '23502': 'Diese Angabe fehlt.',
  '23505': 'Diesen Wert gibt es schon.',
  '23503': 'Der zugehörige Datensatz fehlt oder wird noch gebraucht.',
  '22001': 'Diese Angabe ist zu lang.',
  '22003': 'Diese Zahl ist zu groß.',
  '22007': 'Das ist kein gültiges Datum.',
  '22008': 'Das ist kein gültiges Datum.',
  '22P02': 'Dieser Wert hat nicht die richtige Form.',
  '23514': 'Dieser Wert ist nicht zulässig.',
}

/** The general API speaks German and to the person; its sentence says more than the class of its number. The end of a session has sentences of its own. */
const saidByGeneralApi = (body: FaultBody, code: ErrorCode): string | undefined =>
  typeof body.code === 'number' && !['not_signed_in', 'session_expired', 'account_disabled'].includes(code)
    ? textOf(body.message)
    : undefined

/** A failed answer → ApiError. */
export function toApiError(status: number, body: unknown): ApiError {
  const fault: FaultBody = typeof body === 'object' && body !== null ? body : {}
  const origin = typeof fault.code === 'number' ? String(fault.code) : textOf(fault.code)
  const code = codeOf(status, origin, fault)
  const rule = textOf(fault.hint)
  const special = rule ? BY_RULE[rule] : undefined
  const fields =
    code === 'bad_value' || code === 'conflict'
      ? fieldsOf(fault, t(special ?? FIELD_TEXTS[origin ?? ''] ?? 'Dieser Wert ist nicht zulässig.'))
      : []
  return new ApiError(code, special ? t(special) : (saidByGeneralApi(fault, code) ?? errorText(code)), {
    status,
    origin,
    rule,
    fields,
    detail: textOf(fault.message),
  })
}
