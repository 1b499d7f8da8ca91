// Paths in the contract begin with a slash; the client adds the base path and a slash itself.

export const pathOf = (path: string): string => path.replace(/^\//, '')
