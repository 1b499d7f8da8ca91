// Files for programs of others that the screens offer; the OGC services themselves are under /ogc.

type Id = number | string

/** Project files of QGIS, below the general API. */
export const qgisPaths = {
  kunde: (id: Id) => `/qgis/kunde/${id}/projekt.qgz`,
  betrieb: (id: Id) => `/qgis/betrieb/${id}/projekt.qgz`,
}

/** The same as packages of QField. */
export const packagePaths = {
  kunde: (id: Id) => `/qgis/kunde/${id}/qfield.zip`,
  betrieb: (id: Id) => `/qgis/betrieb/${id}/qfield.zip`,
}
