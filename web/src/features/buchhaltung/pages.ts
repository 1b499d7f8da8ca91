// The bookkeeping pages, each loaded on demand. Listed here and not in the route table, because their file
// names would add to everybody's first load.
import type { ComponentType } from 'react'

export const pages = {
  dashboard: async () => (await import('./overview/OverviewPage.tsx')).OverviewPage,
  rechnungen: async () => (await import('./rechnung/RechnungenPage.tsx')).RechnungenPage,
  'rechnung/$': async () => (await import('./rechnung/RechnungPage.tsx')).RechnungPage,
  'rechnung/new/': async () => (await import('./rechnung/NewRechnungPage.tsx')).NewRechnungPage,
  'rechnung/update/': async () => (await import('./rechnung/RechnungDraftPage.tsx')).RechnungDraftPage,
  wiederkehrend: async () => (await import('./serie/SerienPage.tsx')).SerienPage,
  'serie/$': async () => (await import('./serie/SeriePage.tsx')).SeriePage,
  angebote: async () => (await import('./angebot/AngebotePage.tsx')).AngebotePage,
  'angebot/$': async () => (await import('./angebot/AngebotPage.tsx')).AngebotPage,
  'angebot/new/': async () => (await import('./angebot/NewAngebotPage.tsx')).NewAngebotPage,
  'angebot/update/': async () => (await import('./angebot/AngebotDraftPage.tsx')).AngebotDraftPage,
  'offene-posten': async () => (await import('./open-items/OpenItemsPage.tsx')).OpenItemsPage,
  'konto/$': async () => (await import('./open-items/AccountPage.tsx')).AccountPage,
  eingang: async () => (await import('./eingang/EingangPage.tsx')).EingangPage,
  'eingang/$': async () => (await import('./eingang/EingangRecordPage.tsx')).EingangRecordPage,
  'eingang/ueberweisungen': async () => (await import('./transfers/TransfersPage.tsx')).TransfersPage,
  lastschriften: async () => (await import('./sepa/DirectDebitsPage.tsx')).DirectDebitsPage,
  mahnungen: async () => (await import('./mahnung/MahnungenPage.tsx')).MahnungenPage,
  zahlungen: async () => (await import('./zahlung/ZahlungenPage.tsx')).ZahlungenPage,
  umsatzsteuer: async () => (await import('./ust/UstPage.tsx')).UstPage,
  pruefung: async () => (await import('./audit/AuditPage.tsx')).AuditPage,
  prognosen: async () => (await import('./prognose/PrognosenPage.tsx')).PrognosenPage,
  einstellungen: async () => (await import('./settings/SettingsPage.tsx')).SettingsPage,
} as const satisfies Readonly<Record<string, () => Promise<ComponentType>>>
