// Personal preferences as the database keeps them: one row per choice.

export interface Einstellung {
  schluessel: string
  wert: unknown
  geaendert_am: string
}

export interface EinstellungRpc {
  /** null takes a choice back. */
  __o_set_einstellungen: { takes: { werte: Readonly<Record<string, unknown>> }; answers: null }
}
