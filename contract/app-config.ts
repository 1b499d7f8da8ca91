// What the browser reads before it starts: /config/app.json and /config/identity.json.

export interface AppConfig {
  readonly title: string
  /** Sample data and demo accounts: the screens say "Probebetrieb". */
  readonly trial: boolean
  readonly support: { readonly phone: string; readonly hours: string } | null
  readonly manualUrl: string | null
  readonly dataApi: string
  readonly generalApi: string
  readonly impressumUrl: string | null
  readonly datenschutzUrl: string | null
  /** There is a mail server: notices are mailed, too. */
  readonly mail: boolean
  /** Mebibytes that an uploaded scan may have. */
  readonly uploadLimitMb: number
  /** The mobile app, where there is one. */
  readonly stores: { readonly ios: string | null; readonly android: string | null }
  /** Phones and tablets are led to /landing first. */
  readonly mobileLanding: boolean
  readonly shell: ShellConfig
}

/** What a person sees of the shell until they choose otherwise. */
export interface ShellConfig {
  /** The settings panel is there; without it nobody can choose the three below. */
  readonly showSettings: boolean
  /** Place of the panel's handle, pixels from the top. */
  readonly settingsTop: number
  /** A press outside leaves it open. */
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
  /** Where the token names its groups; a dotted path is allowed. `null`: the provider knows no groups, the row alone decides (OIDC_GROUPS=ignore). */
  readonly groupsClaim?: string | null
}
