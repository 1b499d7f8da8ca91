// What the server says about recurring invoices.

export const SERIE_TEXTS: Readonly<Record<string, string>> = {
  serie_rhythmus: 'Bitte wählen Sie monatlich, vierteljährlich, halbjährlich oder jährlich.',
  serie_tag: 'Bitte einen Tag zwischen 2000 und 2199.',
  serie_ende_beginn: 'Der letzte Tag liegt vor dem ersten. Bitte tragen Sie einen späteren ein.',
  serie_anzahl: 'Bitte eine Zahl zwischen 1 und 1.200.',
  serie_begonnen:
    'Für diese wiederkehrende Rechnung ist schon abgerechnet. Bitte beenden Sie sie, und richten Sie eine neue ein.',
  serie_ende: 'Bis zu einem späteren Tag ist schon abgerechnet. Bitte tragen Sie frühestens diesen ein.',
  serie_anzahl_lauf: 'Es sind schon mehr Zeiträume abgerechnet. Bitte tragen Sie eine größere Zahl ein.',
  serie_platzhalter:
    'Der Text enthält einen Platzhalter, den es hier nicht gibt. Möglich sind {zeitraum}, {von}, {bis} und {jahr}.',
  serie_quelle:
    'Als Vorlage dient nur eine einfache Rechnung oder ihr Entwurf. Bitte wählen Sie eine andere.',
  serie_kunde: 'Diese Rechnung gehört zu einem anderen Kunden. Bitte wählen Sie eine des Kunden.',
  serie_laeufe:
    'Von „{titel}“ gibt es schon Entwürfe oder Rechnungen. Bitte beenden Sie sie, statt sie zu löschen.',
  serie_vergeben:
    'Bei „{titel}“ hat inzwischen jemand einen dieser Zeiträume erledigt; es wurde nichts angelegt. Bitte sehen ' +
    'Sie die Vorschau noch einmal durch.',
  serie_nicht_faellig:
    'Bei „{titel}“ ist einer dieser Zeiträume nicht mehr fällig; es wurde nichts angelegt. Bitte sehen Sie die ' +
    'Vorschau noch einmal durch.',
  serie_auswahl: 'Bitte wählen Sie 1 bis 200 Zeiträume.',
  text_500: 'Höchstens 500 Zeichen, ohne Steuerzeichen.',
}
