// Personal preferences as the database stores them: one row per choice.

export interface Setting {
  schluessel: string
  wert: unknown
  geaendert_am: string
}

export interface SettingRpc {
  /** null resets a choice. */
  __o_set_einstellungen: { takes: { werte: Readonly<Record<string, unknown>> }; answers: null }
}
