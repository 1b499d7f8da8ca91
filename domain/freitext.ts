// Where a text block belongs: salutation, opening and closing text of a document, the message that carries it, the reminder.
export const FREITEXT_ARTEN = ['anrede', 'anschreiben', 'zuerl', 'mail', 'mahnung'] as const
export type FreitextArt = (typeof FREITEXT_ARTEN)[number]
