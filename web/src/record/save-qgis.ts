// Saves a project file of QGIS and says what QGIS will ask for, or the same as a package of QField.
import { packagePaths, qgisPaths } from '#contract/ogc.ts'
import { fetchBlob } from '../data/blob.ts'
import { inFileName, saveFile } from '../ui/export/save-file.ts'
import { t } from '../ui/text.ts'
import { today } from '../ui/today.ts'
import { toast } from '../ui/toasts.ts'

/** Up to 100,000 objects are read and packed. */
const PACKAGE_MS = 180_000

export async function saveQgisProject(of: keyof typeof qgisPaths, id: number, name: string): Promise<void> {
  const file = await fetchBlob(qgisPaths[of](id).slice(1))
  saveFile(file, `${inFileName(name)}.qgz`)
  toast.success(
    t(
      'Das Projekt ist gespeichert. Beim Öffnen fragt QGIS nach Name und Passwort: Der Name ist ' +
        'beliebig, das Passwort ist ein Schlüssel für Programme. Den legen Sie in Ihrem Profil an.',
    ),
  )
}

export async function saveQFieldPackage(
  of: keyof typeof packagePaths,
  id: number,
  name: string,
): Promise<void> {
  const file = await fetchBlob(packagePaths[of](id).slice(1), undefined, { timeoutMs: PACKAGE_MS })
  saveFile(file, `QField_${inFileName(name)}_${today()}.zip`)
  toast.success(
    t(
      'Das Paket ist gespeichert. Bringen Sie die Datei auf Ihr Gerät, und importieren Sie sie in QField als ZIP. ' +
        'Das Paket zeigt den jetzigen Stand; ändern lässt sich darin nichts.',
    ),
  )
}
