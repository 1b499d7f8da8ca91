// How a reader and the server talk: JSON, one line each.

/** Of a line: what the server itself holds of a file at a time. */
export const MOST_LINE_BYTES = 32 * 2 ** 20
/** Where a reader writes: its other outputs go nowhere, so that no library writes between the lines. */
export const READER_OUTPUT = 3
