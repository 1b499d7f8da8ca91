// How a reader and the server communicate: JSON, one message per line.

/** Longest line: what the server itself keeps of a file at a time. */
export const MOST_LINE_BYTES = 32 * 2 ** 20
/**
 * File descriptor that a reader writes to: its other outputs are discarded, so that no library
 * writes between the lines.
 */
export const READER_OUTPUT = 3
