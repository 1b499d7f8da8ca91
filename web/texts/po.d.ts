// What po-plugin.ts makes of a .po file.
declare module '*.po' {
  /** German text → translation. */
  export const texts: Readonly<Record<string, string>>
}
