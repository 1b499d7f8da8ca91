// What files of direct debits and of credit transfers have in common, and how their bytes are handed out.

export interface BankFile {
  readonly id: number
  /** Day of collection or execution. */
  readonly tag: string
  readonly anzahl: number
  readonly summe: string
  /** Of the file that was handed out first; empty: none yet. */
  readonly sha256: string
  readonly zurueckgezogen_am: string | null
  readonly grund: string
  /** Lines that the bank has not carried out, where it is known. */
  readonly offen?: number
}
/** What differs between the two kinds. */
export interface BankFileKind<File extends BankFile> {
  readonly queryKey: readonly string[]
  readonly load: (signal: AbortSignal) => Promise<File[]>
  /** False: another file was handed out before. */
  readonly download: (file: File) => Promise<boolean>
  readonly withdraw: (id: number, grund: string) => Promise<unknown>
  /** Refetched after each change. */
  readonly changes: readonly (readonly string[])[]
  /** Day of the last execution, where lines have their own days. */
  readonly lastDay?: (file: File) => string
  readonly words: () => { readonly day: string; readonly withdrawn: string }
}

/** Notes the digest before the file is handed out. False: another file was handed out before. */
export async function handOut(
  text: string,
  note: (sha256: string) => Promise<boolean>,
  save: (blob: Blob) => void,
): Promise<boolean> {
  const bytes = new TextEncoder().encode(text)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const isSame = await note(sha256)
  if (isSame) save(new Blob([bytes], { type: 'application/xml' }))
  return isSame
}
