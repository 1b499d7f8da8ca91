// The English texts: German text → its translation. What is missing stays German. The wording of the shell's template parts is the specification's.
export const ENGLISH: Readonly<Record<string, string>> = {
  'Seite einrichten': 'Page style setting',
  Themenfarbe: 'Theme Color',
  'Reiter anzeigen': 'Open Tags-View',
  'Kopf fest': 'Fixed Header',
  'Logo in der Seitenleiste': 'Sidebar Logo',
  'Sitzung abgelaufen': 'Confirm logout',
  'Bitte melden Sie sich neu an. Die Anmeldung öffnet sich in einem kleinen Fenster; was Sie hier eingegeben haben, bleibt erhalten.':
    'You have been logged out, you can cancel to stay on this page, or log in again',
  'Neu anmelden': 'Re-Login',
  'Auf der Seite bleiben': 'Cancel',
  'Die Prüfung Ihrer Anmeldung ist fehlgeschlagen. Bitte melden Sie sich neu an.': 'Verification failed, please Login again.',
  'Für Ihr Konto ist keine Rolle eingetragen. Bitte wenden Sie sich an den Support.': 'getInfo: roles must be a non-null array!',
  'Der Anmeldedienst ist noch nicht bereit. Bitte laden Sie die Seite neu.':
    'The identity provider is not initialised. Please reload the page.',
  'Die Anmeldung ist nicht gelungen. Bitte versuchen Sie es noch einmal.': 'Has Error',
  Fehler: 'Error',
  'Die Farben werden angepasst …': 'Compiling the theme',
}
