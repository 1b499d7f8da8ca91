// Personal preferences as the database keeps them: one row per choice.

export interface Setting {
  schluessel: string
  wert: unknown
  geaendert_am: string
}

export interface SettingRpc {
  /** null takes a choice back. */
  __o_set_einstellungen: { takes: { werte: Readonly<Record<string, unknown>> }; answers: null }
}
