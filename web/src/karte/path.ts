// Addresses of the contract begin with a slash; the client puts the base path and a slash in front.

export const pathOf = (path: string): string => path.replace(/^\//, '')
