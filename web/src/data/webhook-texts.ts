// What the server says about programs that are notified of events.

export const WEBHOOK_TEXTS: Readonly<Record<string, string>> = {
  webhook_name: 'Bitte einen Namen mit höchstens 60 Zeichen, in einer Zeile.',
  webhook_vergeben: 'So heißt schon ein Empfänger. Bitte wählen Sie einen anderen Namen.',
  webhook_url: 'Bitte geben Sie eine vollständige Adresse an.',
  webhook_arten: 'Bitte wählen Sie nur Ereignisse, die zu dieser Sparte gehören.',
  webhook_haelfte: 'Bitte wählen Sie eine Sparte, die Sie verwalten.',
  webhook_kunde: 'Diesen Kunden gibt es nicht.',
  webhook_anzahl: 'Mehr als 50 Empfänger sind nicht möglich. Bitte löschen Sie zuerst einen.',
  webhook_pause: 'Der Empfänger ist angehalten. Bitte setzen Sie ihn zuerst fort.',
  webhook_auswahl:
    'Der Empfänger bekommt solche Ereignisse nicht mehr. Bitte ändern Sie zuerst seine Auswahl.',
  webhook_test: 'Ein Test wird nicht wiederholt. Bitte senden Sie einen neuen.',
}
