// Whether this device is used in the field, asked at every start: everything else about it is loaded when it is.
export const isFieldDevice = (): boolean => {
  try {
    return localStorage.getItem('geraet.feld') !== null
  } catch {
    return false
  }
}
/** Somebody may go on in the field mode without signing in. */
export const isPreparedForField = (): boolean => {
  try {
    return isFieldDevice() && /"sub":"/.test(localStorage.getItem('geraet.feld') ?? '')
  } catch {
    return false
  }
}
