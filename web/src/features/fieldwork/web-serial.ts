// Web Serial as far as it is used here: TypeScript's own types do not have it, and of the browsers only those with
// Chromium.

export interface PortInfo {
  readonly usbVendorId?: number
  readonly usbProductId?: number
  readonly bluetoothServiceClassId?: string | number
}
export interface SerialPort extends EventTarget {
  /** Null when closed or pulled out; another one after an error of the line. */
  readonly readable: ReadableStream<Uint8Array> | null
  open(options: { readonly baudRate: number; readonly bufferSize?: number }): Promise<void>
  close(): Promise<void>
  getInfo(): PortInfo
}
export interface Serial extends EventTarget {
  requestPort(options?: { readonly filters: readonly PortInfo[] }): Promise<SerialPort>
  /** Those that the person has chosen before. */
  getPorts(): Promise<readonly SerialPort[]>
}
/** Undefined where the browser has none, and without https. */
export const webSerial = (): Serial | undefined => (navigator as { readonly serial?: Serial }).serial
