// Templates of positions and text blocks of letters.
import type { TextModuleKind } from '#domain/text-module.ts'

export interface PositionTemplate {
  id: number
  gruppe: string | null
  bez: string
  einheit: string
  /** Net unit price, decimal text with four places. */
  ep: string
  /** Per cent; null: the rate of the document that uses it. */
  ust_satz: string | null
  erl_titel: string
  erl: string
  erl_on: boolean
  archiviert: boolean
  version: number
  geaendert_am: string
  geaendert_von: string | null
}
export interface TextModule {
  id: number
  art: TextModuleKind
  titel: string
  text: string
  archiviert: boolean
  version: number
  geaendert_am: string
  geaendert_von: string | null
}
type Id = number | string
type Stamp = 'id' | 'version' | 'geaendert_am' | 'geaendert_von'
/** Without an id a new one is created; with an id the whole row is replaced if it still has that version. */
interface Which {
  id?: Id
  version?: number
}

export interface TemplateRpc {
  a_get_position_tmpl: { takes: { mit_archiv?: boolean }; answers: PositionTemplate[] }
  a_get_all_freitexte: { takes: { mit_archiv?: boolean }; answers: TextModule[] }
  a_save_position_tmpl: { takes: Omit<PositionTemplate, Stamp> & Which; answers: number }
  a_delete_position_tmpl: { takes: { id: Id }; answers: null }
  a_save_freitext: { takes: Omit<TextModule, Stamp> & Which; answers: number }
  a_delete_freitext: { takes: { id: Id }; answers: null }
}
