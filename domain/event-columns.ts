// Columns of events, webhooks and their deliveries, for the catalogue of personal columns (privacy.ts).

export const EVENT_TABLES = {
  'app.ereignis': { kunde: 'id art client_id tabelle datensatz hqid inhalt am' },
  'dispatch.ereignis_ende': { other: 'nur entfernt_bis' },
  'dispatch.webhook': {
    person: 'user_id angelegt_von',
    kunde: 'name arten client_id',
    other:
      'id haelfte url geheimnis zeichen geheimnis_alt alt_bis pause pause_am stand fehler_folge naechster ' +
      'vergeben_bis angelegt_am geaendert_am version',
  },
  'dispatch.zustellung': {
    kunde: 'client_id koerper art',
    other:
      'id kennung webhook_id ereignis_id zustand versuche naechster status grund antwort dauer_ms versucht_am ' +
      'angelegt_am',
  },
} as const
