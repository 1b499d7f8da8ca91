// A strict reader of the text format of OpenMetrics, as far as our figures use it.
export interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}
export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly series: readonly Series[]
}

const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total', '_created'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count', '_created'],
  summary: ['', '_sum', '_count', '_created'],
}
const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (NaN|[+-]?Inf|[-+0-9.e]+)(?: # .*)?$/i
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/gy

function labelsOf(text: string): Record<string, string> {
  const labels: Record<string, string> = {}
  let read = 0
  for (const [all, name = '', value = ''] of text.matchAll(LABEL)) {
    if (name in labels) throw new Error(`a label twice: ${text}`)
    labels[name] = value
    read += all.length
  }
  if (read !== text.length) throw new Error(`not labels: ${text}`)
  return labels
}

export function parseOpenMetrics(text: string): Family[] {
  if (!text.endsWith('\n# EOF\n')) throw new Error('does not end with # EOF')
  const families: { name: string; type: string; help: string; series: Series[] }[] = []
  const seen = new Set<string>()
  for (const line of text.slice(0, -'# EOF\n'.length).split('\n').slice(0, -1)) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z0-9_]+) (.*)$/i.exec(line) ?? []
    let family = families.at(-1)
    if (word !== undefined) {
      if (family?.name !== name) {
        if (families.some((other) => other.name === name)) throw new Error(`${name} is interrupted`)
        family = { name, type: '', help: '', series: [] }
        families.push(family)
      }
      if (word === 'TYPE') family!.type = rest
      else family!.help = rest
      continue
    }
    const [, sample = '', labels = '', value = ''] = LINE.exec(line) ?? []
    if (family === undefined || sample === '') throw new Error(`not a line of OpenMetrics: ${line}`)
    const ending = sample.slice(family.name.length)
    if (!sample.startsWith(family.name) || !ENDINGS[family.type]?.includes(ending))
      throw new Error(`${sample} is none of ${family.name} (${family.type})`)
    const key = line.slice(0, line.lastIndexOf(' '))
    if (seen.has(key)) throw new Error(`twice: ${key}`)
    seen.add(key)
    family.series.push({
      name: sample,
      labels: labelsOf(labels),
      value: Number(value.replace('Inf', 'Infinity')),
    })
  }
  return families
}
