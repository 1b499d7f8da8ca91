// What the build has laid ready for a trial: files that are what their names say, of every sheet, small, and laid where the sheet is drawn.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { generateSample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import { zeigt } from '../db/seeds/sample-blaetter.ts'
import { makeFotos } from '../db/seeds/sample-fotos.ts'
import { fotoNamenOf, namenOf } from '../db/seeds/seed-dateien.ts'
import { hashOf, ordnerAblage } from '../server/dateien/ablage.ts'
import { liesTiff } from '../server/karten/tiff-lesen.ts'
import { TRIAL_FILES } from '../server/prepare.ts'
import { readTrialFiles, readTrialPhotos } from './trial-files.ts'

const blaetter = readTrialFiles(TRIAL_FILES)
const fotos = readTrialPhotos(TRIAL_FILES)
const built = ordnerAblage(TRIAL_FILES)
const sample = generateSample({ ...TRIAL_SIZE, now: new Date() })

test('each sheet has its files, each file is what its name says, and all of them are small', async () => {
  expect(blaetter.map(({ karte_id }) => karte_id)).toEqual(sample.blaetter.map(({ karte_id }) => karte_id))
  const names: string[] = []
  let bytes = 0
  for await (const { sha256, groesse } of built.liste()) {
    names.push(sha256)
    bytes += groesse
    expect(await hashOf((await built.pfad(sha256))!)).toEqual({ sha256, groesse })
  }
  expect(names.toSorted()).toEqual([...namenOf(blaetter), ...fotoNamenOf(fotos)].toSorted())
  expect(bytes).toBeLessThan(15_000_000)
  for (const { scan, ergebnis } of blaetter)
    for (const datei of [scan, ...(ergebnis === null ? [] : [ergebnis])]) expect(await built.groesse(datei.sha256)).toBe(datei.groesse)
})
test('three and more are laid onto the map, where the sheet is said to lie', async () => {
  const laid = blaetter.flatMap(({ karte_id, scan, ergebnis }) => (ergebnis === null ? [] : [{ karte_id, scan, ergebnis }]))
  expect(laid.length).toBeGreaterThanOrEqual(3)
  for (const { karte_id, scan, ergebnis } of laid) {
    const { wunsch } = sample.blaetter.find((one) => one.karte_id === karte_id)!
    const { lage } = await liesTiff((await built.pfad(ergebnis.sha256))!)
    expect(lage!.epsg).toBe(wunsch.epsg)
    // Both are of the same sheet: the result's upper left corner lies a sheet's turn from the drawn one.
    expect(Math.hypot(lage!.west - wunsch.ost, lage!.nord - wunsch.nord)).toBeLessThan(30)
    const [ost, nord] = [wunsch.ost + (wunsch.breite * wunsch.gsd) / 2, wunsch.nord - (wunsch.hoehe * wunsch.gsd) / 2]
    expect(zeigt(wunsch, [ost, nord])).toBe(true)
    const { width, height, density } = await sharp((await built.pfad(scan.sha256))!).metadata()
    expect([width, height, density]).toEqual([scan.breite, scan.hoehe, scan.dpi])
  }
})
test('photos of trees say where and when they were taken, and have their sizes without a word of the camera', async () => {
  expect(fotos.map(({ habitat_id, name }) => [habitat_id, name])).toEqual(
    makeFotos(sample.habitatbaeume).map(({ habitat_id, name }) => [habitat_id, name]),
  )
  expect(fotos.length).toBeGreaterThanOrEqual(5)
  for (const foto of fotos) {
    expect([foto.breite, foto.hoehe]).toEqual([720, 960])
    expect(foto.groesse).toBeLessThan(200_000)
    expect(foto.aufgenommen_am).toMatch(/^20\d\d-/)
    expect([foto.lon !== null, foto.lat !== null, foto.richtung !== null]).toEqual([true, true, true])
    for (const [name, edge] of [
      [foto.klein, 320],
      [foto.mittel, 800],
      [foto.gross, 960],
    ] as const) {
      const { format, width, height, exif } = await sharp((await built.pfad(name))!).metadata()
      expect([format, Math.max(width, height), exif]).toEqual(['webp', edge, undefined])
    }
  }
})
