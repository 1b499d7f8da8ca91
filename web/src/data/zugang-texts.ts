// What the server says about keys for programs.

export const ZUGANG_TEXTS: Readonly<Record<string, string>> = {
  zugang_name: 'Bitte einen Namen mit höchstens 60 Zeichen, in einer Zeile.',
  zugang_vergeben: 'So heißt schon einer Ihrer Schlüssel. Bitte wählen Sie einen anderen Namen.',
  zugang_art: 'Bitte wählen Sie, ob der Schlüssel persönlich oder gemeinsam ist.',
  zugang_haelfte: 'Bitte wählen Sie eine Sparte, in der Sie Rechte haben.',
  zugang_gruppen: 'Bitte wählen Sie Bereiche der Liste.',
  zugang_bis: 'Bitte wählen Sie einen Tag von heute bis heute in einem Jahr.',
  zugang_kunde: 'Diesen Kunden gibt es nicht, oder Sie dürfen ihn nicht sehen.',
  zugang_client:
    'So sieht keine Kennung aus, oder es gibt für sie schon einen gültigen Schlüssel. Bitte prüfen ' +
    'Sie die Kennung.',
  zugang_anzahl:
    'Mehr als 50 Schlüssel sind nicht möglich. Bitte widerrufen Sie zuerst einen, den Sie nicht mehr ' +
    'brauchen.',
}
