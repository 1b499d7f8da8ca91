// What the browser reads before it starts: /config/app.json and /config/identity.json.

export interface AppConfig {
  readonly title: string
  /** The installation has sample data and demo accounts: the screens say "Probebetrieb". */
  readonly trial: boolean
  readonly support: { readonly phone: string; readonly hours: string } | null
  readonly manualUrl: string | null
  readonly dataApi: string
  readonly generalApi: string
  readonly impressumUrl: string | null
  readonly datenschutzUrl: string | null
  /** A mail server is configured: notices are also sent by mail. */
  readonly mail: boolean
  /** Largest size of an uploaded scan, in MiB. */
  readonly uploadLimitMb: number
  /** The mobile app, if there is one. */
  readonly stores: { readonly ios: string | null; readonly android: string | null }
  /** Phones and tablets are sent to /landing first. */
  readonly mobileLanding: boolean
  readonly shell: ShellConfig
}

/** Defaults of the shell until the user chooses otherwise. */
export interface ShellConfig {
  /** Shows the settings panel; without it users cannot change the three settings below. */
  readonly showSettings: boolean
  /** Position of the panel's handle, in pixels from the top. */
  readonly settingsTop: number
  /** A click outside leaves the panel open. */
  readonly clickNotClose: boolean
  readonly tagsView: boolean
  readonly fixedHeader: boolean
  readonly sidebarLogo: boolean
  readonly stamps: { readonly sandbox: boolean; readonly alpha: boolean }
}

export interface IdentityConfig {
  readonly authority: string
  readonly clientId: string
  readonly scope: string
  readonly redirectPath: string
  readonly storageKey: string
  readonly checkIntervalMs: number
  readonly minValidityS: number
  /**
   * Claim of the token that holds the groups; may be a dotted path. `null`: the provider has no groups and
   * only the row decides (OIDC_GROUPS=ignore).
   */
  readonly groupsClaim?: string | null
}
