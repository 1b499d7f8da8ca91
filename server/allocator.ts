// What the C library keeps of freed memory. Its heap shrinks at its end alone: a few small pieces that live on behind a hundred freed ones keep all of them.
import { platform } from 'node:process'

type Trim = (pad: number) => number

let trim: Promise<Trim | null> | undefined

/** Null where the library has no such function: musl, macOS, Windows. */
async function findTrim(): Promise<Trim | null> {
  if (platform !== 'linux') return null
  try {
    const { default: koffi } = await import('koffi')
    return koffi.load(null).func('int malloc_trim(size_t pad)') as Trim
  } catch {
    return null
  }
}

/**
 * Gives every whole page of freed memory back to the machine, wherever it lies. Takes some milliseconds, in which nobody else allocates.
 * Source: malloc_trim(3). False where there is nothing to call.
 */
export async function giveMemoryBack(): Promise<boolean> {
  trim ??= findTrim()
  const call = await trim
  call?.(0)
  return call !== null
}
