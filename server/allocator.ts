// Returns freed memory from the C library to the system. Its heap shrinks only at the end: a few small blocks
// that stay allocated after many freed ones keep all of them.
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
 * Returns every whole page of freed memory to the system, wherever it is in the heap.
 * Blocks for a few milliseconds.
 * Source: malloc_trim(3). Returns false where the function does not exist.
 */
export async function giveMemoryBack(): Promise<boolean> {
  trim ??= findTrim()
  const call = await trim
  call?.(0)
  return call !== null
}
