export interface Abkuerzung {
  id: number
  abk: string
  bedeutung: string
  gruppe: string
  version: number
  geaendert_am: string
  geaendert_von: string | null
}
export type NewAbkuerzung = Pick<Abkuerzung, 'abk' | 'bedeutung' | 'gruppe'>

export interface AbkuerzungRpc {
  a_get_acronyms: { takes: Record<string, never>; answers: Abkuerzung[] }
}
