// Finds third-party programs, which are used where they are installed.
import { access, constants } from 'node:fs/promises'
import { join } from 'node:path'

export interface Tools {
  readonly pdftoppm: string | null
  /** Both or none. */
  readonly gdal: { readonly translate: string; readonly warp: string } | null
}

export async function findTools(folders: readonly string[]): Promise<Tools> {
  const find = async (name: string): Promise<string | null> => {
    for (const folder of folders) {
      const path = join(folder, name)
      if (
        await access(path, constants.X_OK).then(
          () => true,
          () => false,
        )
      )
        return path
    }
    return null
  }
  const [pdftoppm, translate, warp] = await Promise.all(['pdftoppm', 'gdal_translate', 'gdalwarp'].map(find))
  return { pdftoppm: pdftoppm ?? null, gdal: translate == null || warp == null ? null : { translate, warp } }
}
