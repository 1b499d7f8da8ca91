// Where a text block is used: salutation, opening and closing text of a document, the accompanying message,
// the reminder.
export const TEXT_MODULE_KINDS = ['anrede', 'anschreiben', 'zuerl', 'mail', 'mahnung'] as const
export type TextModuleKind = (typeof TEXT_MODULE_KINDS)[number]
