// Where received invoices stand; apart from the list, which other pages need not load.
const EINGANG_PATH = '/buchhaltung/eingang'
export const TRANSFERS_PATH = `${EINGANG_PATH}/ueberweisungen`
export const eingangPath = (id: number): string => `${EINGANG_PATH}/rechnung/${id}`
