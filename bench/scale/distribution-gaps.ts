// What of the schema breaks Citus' rules, and what would fix it. docs/scale.md prints it.
import type { Rule } from './distribution.ts'

export interface Gap {
  readonly rule: Rule
  readonly what: string
  readonly remedy: string
  /** Separated by blanks. */
  readonly which: string
}

export const GAPS: readonly Gap[] = [
  {
    rule: 'column',
    what: 'A row of a customer has no customer in it',
    remedy: '`client_id not null`, filled from the invoice or offer, and in the primary key',
    which: `
      app.angebot_offen app.rechnung_offen`,
  },
  {
    rule: 'column',
    what: 'The customer may be empty, because some rows belong to the provider',
    remedy:
      "stays on the coordinator; what a customer's people read of it becomes a second table with the " +
      'customer in every row',
    which: `
      accounts.zugang app.datenschutz_vorgang app.meldung app.protokoll app.verlauf dispatch.webhook
      dispatch.zustellung`,
  },
  {
    rule: 'key',
    what: 'Number of one row',
    remedy: 'primary key `(client_id, id)`; the numbers come from one sequence and stay unique',
    which: `
      app.abo(id) app.angebot(id) app.anlage(id) app.annahme_link(id) app.ausmuendung(id) app.baumarten(id)
      app.bestand(id) app.bestand_import(id) app.dokument(id) app.dokument_auftrag(id) app.draenage(id)
      app.einlauf(id) app.ereignis(id) app.grenzvorschlag(id) app.habitatbaeume(id) app.habitatbilder(id)
      app.habitatkontrollen(id) app.karte_auftrag(id) app.karte_datei(id) app.karte_stand(id) app.kartenblatt(id)
      app.mahnung(id) app.mappoint(id) app.notiz(id) app.notiz_datei(id) app.position(id) app.rechnung(id)
      app.schacht(id) app.schlucker(id) app.sepa_mandat(id) app.sepa_posten(id) app.serie(id) app.serie_lauf(id)
      app.vermessung_import(id) app.vermessungsbilder(id) app.versand(id) app.zahlung(id)`,
  },
  {
    rule: 'key',
    what: 'Name that a device gave',
    remedy: 'unique `(client_id, kennung)`; devices make random names, so that two customers do not meet',
    which: `
      app.ausmuendung(kennung) app.draenage(kennung) app.einlauf(kennung) app.grenzvorschlag(kennung)
      app.habitatbaeume(kennung) app.habitatbilder(kennung) app.habitatkontrollen(kennung) app.schacht(kennung)
      app.schlucker(kennung) app.vermessungsbilder(kennung) forest.habitat_empfangen(kennung,digest)
      forest.habitat_geloescht(kennung) maps.vermessung_empfangen(kennung,digest)
      maps.vermessung_geloescht(kennung)`,
  },
  {
    rule: 'key',
    what: 'Headquarters and what belongs to one',
    remedy: "`client_id` in front; the headquarters' number comes from one sequence",
    which: `
      app.abo(hqid,modul) app.benutzer_hq(hqid,user_id)
      app.bestand(idHQ,sLVL01,sLVL02,sLVL03,sLVL04,sLVL05,iSTAND) app.bestand_import(idHQ,id) app.hq(idHQ)
      app.hq_flaeche(hqid) app.kunde_hq(hqid)`,
  },
  {
    rule: 'key',
    what: 'Part of a document, plan or subscription of one customer',
    remedy: '`client_id` in front; it is in the row already',
    which: `
      app.angebot(ersetzt) app.habitatbilder(habitat_id) app.karte_auftrag(karte_id,art)
      app.karte_datei(karte_id,id) app.karte_intern(karte_id) app.mahnung(rechnung_id,stufe)
      app.mappoint(karte_id,nr) app.notiz_erwaehnt(notiz_id,user_id) app.rechnung(storno_von)
      app.sepa_posten(lauf_id,rechnung_id) app.serie_lauf(rechnung_id) app.serie_lauf(serie_id,nr)
      app.serie_lauf(serie_id,von) app.zahlung(gegen_id)`,
  },
  {
    rule: 'key',
    what: "Number in the provider's own circles, without gaps over all customers",
    remedy:
      'the number is taken on the coordinator and kept in a reference table `(art, nummer)`, which the row ' +
      'refers to',
    which: `
      app.angebot(nummer,fassung) app.rechnung(folge) app.rechnung(nummer) app.sepa_mandat(referenz)`,
  },
  {
    rule: 'key',
    what: 'Secret that is looked up before the customer is known',
    remedy: "a reference table from the secret's hash to the customer",
    which: `
      app.annahme_link(code_hash) app.karte_datei(upload) app.notiz_datei(upload)`,
  },
  {
    rule: 'foreign key',
    what: 'From the coordinator to a customer',
    remedy: 'a trigger, or the second table above',
    which: `
      accounts.zugang(client_id)>app.kunde app.meldung(client_id)>app.kunde dispatch.webhook(client_id)>app.kunde`,
  },
  {
    rule: 'foreign key',
    what: 'Between rows of one customer, without the customer',
    remedy: '`(client_id, …)` on both sides',
    which: `
      app.abo(vorgaenger_id)>app.abo app.angebot(ersetzt)>app.angebot app.angebot_offen(angebot_id)>app.angebot
      app.ausmuendung(karte_id)>app.kartenblatt app.bestand(idHQ,import_id)>app.bestand_import
      app.draenage(karte_id)>app.kartenblatt app.einlauf(karte_id)>app.kartenblatt
      app.karte_auftrag(karte_id,datei_id)>app.karte_datei app.position(angebot_position_id)>app.position
      app.position(korrektur_position_id)>app.position app.rechnung(korrektur_von)>app.rechnung
      app.rechnung(storno_von)>app.rechnung app.rechnung_offen(rechnung_id)>app.rechnung
      app.schacht(karte_id)>app.kartenblatt app.schlucker(karte_id)>app.kartenblatt
      app.serie_lauf(rechnung_id)>app.rechnung app.zahlung(gegen_id)>app.zahlung
      forest.habitat_empfangen(kennung)>app.habitatbaeume`,
  },
  {
    rule: 'action',
    what: '`on update cascade` with the customer in the key',
    remedy:
      '`no action`: a headquarters or a plan that changes its customer is copied and deleted by the ' +
      'function that moves it',
    which: `
      app.abo(client_id,hqid)>app.hq app.anlage(client_id,rechnung_id)>app.rechnung
      app.baumarten(client_id,idHQ,bestand_id)>app.bestand app.benutzer_hq(client_id,hqid)>app.hq
      app.bestand(client_id,idHQ)>app.hq app.bestand_import(client_id,idHQ)>app.hq
      app.grenzvorschlag(client_id,idHQ)>app.hq app.habitatbaeume(client_id,idHQ)>app.hq
      app.habitatbilder(client_id,idHQ,habitat_id)>app.habitatbaeume
      app.habitatkontrollen(client_id,idHQ,habitat_id)>app.habitatbaeume app.hq_flaeche(client_id,hqid)>app.hq
      app.karte_auftrag(client_id,karte_id)>app.kartenblatt app.karte_datei(client_id,karte_id)>app.kartenblatt
      app.karte_intern(client_id,karte_id)>app.kartenblatt app.karte_stand(client_id,karte_id)>app.kartenblatt
      app.kunde_hq(client_id,hqid)>app.hq app.mappoint(client_id,karte_id)>app.kartenblatt
      app.notiz(client_id,angebot_id)>app.angebot app.notiz(client_id,hqid)>app.hq
      app.notiz(client_id,karte_id)>app.kartenblatt app.notiz(client_id,rechnung_id)>app.rechnung
      app.notiz_datei(client_id,notiz_id)>app.notiz app.notiz_erwaehnt(client_id,notiz_id)>app.notiz
      app.position(client_id,angebot_id)>app.angebot app.position(client_id,rechnung_id)>app.rechnung
      forest.habitat_geloescht(client_id,idHQ)>app.hq`,
  },
  {
    rule: 'trigger',
    what: 'Functions of triggers on tables of customers',
    remedy:
      '`citus.enable_unsafe_triggers` for those that meet rows of the same customer only; those that write ' +
      'the history, the seals, notices and events write through the coordinator instead',
    which: `
      accounts.check_auditor_alone accounts.derive_kataster books.check_anlage_frozen
      books.check_document_frozen books.check_frozen books.check_link_frozen books.check_position_frozen
      books.check_sepa_frozen books.check_zahlung_frozen books.freeze_mahnung
      books.keep_next_of_serie books.keep_serie_next books.lock_first
      books.refuse_truncate books.seal_row books.sum_angebot books.sum_position books.sum_rechnung
      books.sum_zahlung checks.check_kunde_address dispatch.collect_trees dispatch.document_made
      dispatch.order_document dispatch.record_beleg dispatch.record_collected dispatch.record_decision
      dispatch.record_plan dispatch.record_plan_file forest.add_switches forest.check_area
      forest.check_habitat_visit forest.check_habitatbaum forest.keep_one_title_picture
      forest.measure_picture_distance forest.move_areas forest.pass_on_title_picture
      forest.record_habitat_deletion history.mark_said
      history.record_change history.stamp_change maps.check_karte_columns
      maps.check_vermessung maps.count_ausmuendung maps.count_draenage maps.count_einlauf
      maps.count_schacht maps.count_schlucker maps.drop_remarks maps.mappoint_kunde
      maps.measure_picture_distance maps.notify maps.record_picture_deletion maps.record_vermessung_deletion
      maps.remove_pictures notes.make_internal notes.record_file
      notices.drop_with_right notices.notify_beleg privacy.refuse_blocked
      privacy.refuse_deleted rights.check_kunde_columns rights.check_no_key rights.check_not_oneself`,
  },
  {
    rule: 'policy',
    what: 'Policies with a subquery, which Citus refuses on distributed tables',
    remedy:
      "the caller's customers and roles are put into settings of the transaction once, and policies " +
      'compare with `current_setting`',
    which: `
      app.abo app.angebot app.angebot_offen app.anlage app.annahme_link app.ausmuendung app.baumarten
      app.benutzer_hq app.benutzer_kunde app.bestand app.bestand_import app.dokument app.dokument_auftrag
      app.draenage app.einlauf app.ereignis app.grenzvorschlag app.habitatbaeume app.habitatbilder
      app.habitatkontrollen app.hq app.hq_flaeche app.karte_auftrag app.karte_datei app.karte_intern
      app.karte_stand app.kartenblatt app.kunde app.kunde_hq app.kunde_rechnung app.mahnung app.mappoint app.notiz
      app.notiz_datei app.notiz_erwaehnt app.position app.rechnung app.rechnung_offen app.schacht app.schlucker
      app.sepa_mandat app.sepa_posten app.serie app.serie_lauf app.vermessung_import app.vermessungsbilder
      app.versand app.zahlung`,
  },
  {
    rule: 'request',
    what: 'Lists that reach a table (after the `>`) by rights over another table or by the headquarters',
    remedy: "the list's filter names the customer; the view joins on `client_id` too",
    which: `
      angebote>app.angebot angebote>app.angebot_offen angebote>app.versand forstbetriebe>app.hq
      habitatbaeume>app.habitatbaeume rechnungen>app.rechnung rechnungen>app.rechnung_offen rechnungen>app.versand
      umsaetze>app.rechnung umsaetze>app.zahlung`,
  },
  {
    rule: 'call',
    what: "Calls of customers' people without the customer among their arguments",
    remedy:
      "`client_id` as a further argument, by which the call is sent to the customer's node " +
      '(`create_distributed_function`)',
    which: `
      __o_count_meldungen __o_find_user_for_hq __o_get_area_from_hq __o_get_bbox_from_hq __o_get_desk
      __o_get_hq_rights __o_get_hq_summary __o_get_kawm __o_get_user_data a_count_notizen a_get_acronyms
      a_get_all_freitexte a_get_anlagen a_get_bank a_get_bank_eingang a_get_bestand_grenzen a_get_bestand_umrisse
      a_get_currentsessionuser a_get_currentuser a_get_datev_entwuerfe a_get_datev_zahlungen a_get_einzug
      a_get_grenzvorschlaege a_get_habitat_pruefung a_get_karte_auftraege a_get_karte_dateien a_get_karte_staende
      a_get_karte_stand a_get_karte_umgebung a_get_karten_stand a_get_kawm_bestaende a_get_kontakt a_get_mahnungen
      a_get_notizen a_get_offer_rest a_get_payments a_get_position_tmpl a_get_prognose a_get_sepa_laeufe
      a_get_versand a_get_waldbestand`,
  },
]

export const namesOf = ({ which }: Gap): readonly string[] => which.trim().split(/\s+/)

/** Lines of a list's entry, up to 120 characters. */
function wrapped(text: string): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' '))
    if (line.length + word.length > 118) {
      lines.push(line)
      line = `  ${word}`
    } else line = line === '' ? word : `${line} ${word}`
  return [...lines, line].join('\n')
}

/** The section of docs/scale.md. */
export const gapsAsText = (): string =>
  GAPS.map((gap) => {
    const names = namesOf(gap)
    const list = names.map((name) => `\`${name}\``).join(', ')
    return wrapped(`- **${gap.what}** (${gap.rule}, ${names.length}); remedy: ${gap.remedy}: ${list}.`)
  }).join('\n')
