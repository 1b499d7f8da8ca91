// Patterns of lines and dots for the second and third series, so that they can be distinguished without
// colour.
export const Hatching = ({ id }: { id: string }) => (
  <defs>
    <pattern id={`${id}-2`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2" height="5" className="chart-hatch" />
    </pattern>
    <pattern id={`${id}-3`} width="5" height="5" patternUnits="userSpaceOnUse">
      <circle cx="2.5" cy="2.5" r="1.3" className="chart-hatch" />
    </pattern>
  </defs>
)
/** Pattern for a series, counted from 1; undefined for the first, which has none. */
export const hatchOf = (id: string, series: number): string | undefined =>
  series === 1 ? undefined : `url(#${id}-${series})`
