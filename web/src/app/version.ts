// The version of the screens that people see: the newest one of release-notes.ts. In a file of its own, because it is part of the first load and the notes are not.
export const VERSION = '2026.12'
