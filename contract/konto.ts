// Accounts of the embedded identity provider as the general API answers them: POST konto, POST einladung.

export interface KontoEreignis {
  readonly zeit: string
  readonly art: string
  readonly wer: string | null
}
export interface Konto {
  /** Whether a password was ever set: the invitation was accepted. */
  readonly passwort: boolean
  readonly zweiter_faktor: boolean
  readonly letzte_anmeldung: string | null
  /** End of the last invitation that was not used, also when it has passed. */
  readonly einladung_bis: string | null
  /** Seconds that the lock after wrong passwords still lasts. */
  readonly gesperrt_s: number
  /** Newest first. */
  readonly ereignisse: readonly KontoEreignis[]
}
export interface Einladung {
  readonly link: string
  readonly expires: string
  /** The mail server took the mail; otherwise the link is handed over by hand. */
  readonly mailed: boolean
}
