// A layer of a file before anybody has chosen: what the file itself says.

interface Layer<Table extends string> {
  readonly name: string
  readonly epsg: number | null
  readonly vorschlag: { readonly tabelle: Table | null; readonly felder: Record<string, string> }
}
/** What the file does not say is left out. */
export const suggestedLayer = <Table extends string>({ name, epsg, vorschlag }: Layer<Table>) => ({
  name,
  ...(vorschlag.tabelle !== null && { tabelle: vorschlag.tabelle }),
  ...(epsg !== null && { epsg }),
  felder: vorschlag.felder,
})
