// Colours of a proposed border, on the map and in its legend.
export const COLOURS = {
  neu: '#e85d00',
  alt: '#1f4e9e',
  ueberlappung: '#b3261e',
  luecken: '#7a1fa2',
  spur: '#3b3b34',
  nachbarn: '#6b6b66',
} as const
export type Sign = keyof typeof COLOURS
