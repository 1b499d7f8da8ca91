// Where a text block belongs: salutation, opening and closing text of a document, the message that carries it, the reminder.
export const TEXT_MODULE_KINDS = ['anrede', 'anschreiben', 'zuerl', 'mail', 'mahnung'] as const
export type TextModuleKind = (typeof TEXT_MODULE_KINDS)[number]
