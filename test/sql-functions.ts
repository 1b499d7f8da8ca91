// Functions of an SQL file and their lengths.

export interface SqlFunction {
  readonly name: string
  /** Lines from its head to the end of its body. */
  readonly length: number
}

export function sqlFunctionsIn(text: string): SqlFunction[] {
  return text
    .split(/^create (?:or replace )?function (?=\w+\.)/m)
    .slice(1)
    .map((one) => {
      const mark = /\bas (\$\w*\$)/.exec(one)
      const atomic = /^begin atomic\b/m.exec(one)
      const end =
        atomic !== null && (mark === null || atomic.index < mark.index)
          ? one.slice(atomic.index).search(/^end;/m) + atomic.index
          : mark === null
            ? one.indexOf(';')
            : one.indexOf(`${mark[1]};`, mark.index + mark[0].length)
      return { name: /^[\w.]+/.exec(one)?.[0] ?? '', length: one.slice(0, end).split('\n').length }
    })
}
