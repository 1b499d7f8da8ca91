// Coordinate systems by their EPSG code; the database checks against the same list (0001_stammdaten.sql).

/** Coordinate systems used by German surveying offices, most frequent first. */
export const EPSG_SYSTEMS: readonly (readonly [code: number, name: string])[] = [
  [25832, 'ETRS89 / UTM 32'],
  [25833, 'ETRS89 / UTM 33'],
  [25831, 'ETRS89 / UTM 31'],
  [4647, 'ETRS89 / UTM 32 mit Zone'],
  [5650, 'ETRS89 / UTM 33 mit Zone'],
  [31466, 'Gauß-Krüger 2 (DHDN)'],
  [31467, 'Gauß-Krüger 3 (DHDN)'],
  [31468, 'Gauß-Krüger 4 (DHDN)'],
  [31469, 'Gauß-Krüger 5 (DHDN)'],
  [2397, 'Gauß-Krüger 3 (S42/83)'],
  [2398, 'Gauß-Krüger 4 (S42/83)'],
  [2399, 'Gauß-Krüger 5 (S42/83)'],
  [4258, 'ETRS89 geographisch'],
  [4326, 'WGS 84 geographisch'],
  [3857, 'Web-Mercator'],
]
export const EPSG_CODES: readonly number[] = EPSG_SYSTEMS.map(([code]) => code)

export const epsgName = (code: number): string => {
  const name = EPSG_SYSTEMS.find(([known]) => known === code)?.[1]
  return name === undefined ? `EPSG ${code}` : `${code} · ${name}`
}

const DEGREES: readonly number[] = [4258, 4326]
/** Whether a length in one system is about as long in the other. Web Mercator's metres are no metres of the ground. */
export const haveSameUnit = (one: number, other: number): boolean =>
  one === other || (!DEGREES.includes(one) && !DEGREES.includes(other) && one !== 3857 && other !== 3857)
