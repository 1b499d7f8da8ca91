/** Postcode and town in a cell or label; in some countries there is no postcode. */
export const townOf = ({ plz, ort }: { readonly plz: string; readonly ort: string }): string =>
  `${plz} ${ort}`.trim()
