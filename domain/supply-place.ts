/**
 * What a supply is about, which decides where it is taxed (§ 3a UStG). grundstueck_inland: land in Germany ·
 * grundstueck_ausland: land abroad (§ 3a (3) Nr. 1: where the land is, for any customer) · kein_grundstueck:
 * not about land (§ 3a (1), (2) and (4): by the recipient).
 */
export const PLACES = ['grundstueck_inland', 'grundstueck_ausland', 'kein_grundstueck'] as const
export type Place = (typeof PLACES)[number]
