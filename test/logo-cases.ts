// The bytes of a case from domain/logo.cases.json.
export interface LogoCase {
  readonly text?: string
  readonly base64?: string
  readonly repeat?: readonly [before: string, after: string, times: number]
}
export const logoBytes = ({
  text,
  base64 = '',
  repeat: [before, after, times] = ['', '', 0],
}: LogoCase): Buffer =>
  text === undefined
    ? Buffer.from(base64, 'base64')
    : Buffer.from(text.replace('{0}', before.repeat(times)).replace('{1}', after.repeat(times)))
