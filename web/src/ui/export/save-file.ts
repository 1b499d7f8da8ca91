// Downloads and their names.

/** File name with the date before the extension: Kunden_2026-12-31.csv. */
export const fileName = (name: string, now: Date, ending: string): string => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${name}_${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.${ending}`
}

/** A name of a record as part of a file's name. */
export const inFileName = (name: string): string => name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')

/** Downloads a file in the browser. */
export function saveFile(content: Blob, name: string) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Safari reads the URL some time after the click.
  setTimeout(() => URL.revokeObjectURL(address), 30_000)
}
