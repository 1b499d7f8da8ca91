// What people choose first when asked for a password. Words are searched for inside a password, whole
// passwords are compared as they are.

/** Words in German and English that are no secret: lower case, at least four letters. */
export const COMMON_WORDS: readonly string[] = (
  'passwort password passwd kennwort geheim geheimnis secret hallo hello willkommen welcome ' +
  'anmelden anmeldung login logon admin administrator benutzer user gast guest ' +
  'schatz schatzi liebling liebe love ichliebedich iloveyou mausi hase engel angel prinzessin ' +
  'princess sonnenschein sunshine sommer herbst winter frühling fruehling spring summer ' +
  'januar februar märz april juni juli august september oktober november dezember montag dienstag ' +
  'mittwoch donnerstag freitag samstag sonntag ' +
  'hund katze pferd tiger löwe drache dragon monkey affe master meister shadow superman batman ' +
  'pokemon starwars computer internet windows office microsoft google apple samsung ' +
  'fussball fußball football bayern münchen muenchen dortmund schalke borussia hamburg berlin köln ' +
  'koeln frankfurt deutschland germany ' +
  'michael thomas andreas stefan christian daniel martin peter alexander sebastian markus sandra ' +
  'nicole stefanie julia anna laura lisa sarah jessica jennifer ashley charlie ' +
  'test tester testen demo probe beispiel example changeme letmein start neu neues standard ' +
  'default trustno access zugang freedom whatever qwertz qwerty asdf yxcv ' +
  'forstkontor forst wald waldbesitz wälder waelder baum bäume baeume eiche buche fichte kiefer ' +
  'tanne holz förster foerster jäger jaeger revier habitat dränage draenage kataster vermessung ' +
  'karte firma büro buero kunde kunden verwaltung rechnung sicher sicherheit security ' +
  'abc123 blabla nichts keines einfach'
).split(' ')

/** Long enough to pass the length rule, yet among the first to be tried. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  (
    'correcthorsebatterystaple|correct horse battery staple|thequickbrownfox|derschnellebraunefuchs|' +
    'diesisteinpasswort|dasisteinpasswort|meinpasswortistgeheim|diesistmeinpasswort|' +
    'lassmichbitterein|lassmichrein|ichhabesvergessen|passwortvergessen|ilovemyfamily|' +
    'ichliebemeinefamilie|maytheforcebewithyou|tobeornottobe|seinodernichtsein|allesistgut|' +
    'allemeineentchen|hanschenklein|haenschenklein|fuchsduhastdiegans|stillenachtheiligenacht|' +
    'ohtannenbaum|otannenbaum|vaterunserimhimmel|dreimalschwarzerkater|' +
    'spieglein spieglein an der wand|eswareinmal|herzlichwillkommen|gutenmorgen|gutenachtkuss|' +
    'schwarzwälder kirsch|jesuschristus|godisgreat|qazwsxedcrfv|1qazxsw23edc|q1w2e3r4t5y6|' +
    'q1w2e3r4t5z6'
  ).split('|'),
)
