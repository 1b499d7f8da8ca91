// Version shown to users: the newest in release-notes.ts. A separate file, because it is in the initial load
// and the notes are not.
export const VERSION = '2026.12'
