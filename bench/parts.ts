// A bench of several parts, measured one after another: all of them, or those named on the command line.
import { type Figure, report } from './figures.ts'

type Part = () => Promise<{ measure: () => Promise<Figure[]> }>

export async function measureParts(bench: string, parts: Readonly<Record<string, Part>>): Promise<void> {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((name) => !Object.hasOwn(parts, name))
  if (unknown.length > 0)
    throw new Error(`no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`)
  const figures: Figure[] = []
  for (const [name, part] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue
    console.error(`${name} …`)
    figures.push(...(await (await part()).measure()))
  }
  report(bench, figures)
}
