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
