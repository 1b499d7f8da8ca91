// Whether this device is used in the field. Checked at every start, so the rest of that code is loaded only
// if it is.
export const isFieldDevice = (): boolean => {
  try {
    return localStorage.getItem('geraet.feld') !== null
  } catch {
    return false
  }
}
/** Whether someone may continue in field mode here without signing in. */
export const isPreparedForField = (): boolean => {
  try {
    return isFieldDevice() && /"sub":"/.test(localStorage.getItem('geraet.feld') ?? '')
  } catch {
    return false
  }
}
