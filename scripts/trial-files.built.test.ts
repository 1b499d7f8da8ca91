// The built files of a trial: they are what their names say, complete for every sheet, small, and placed
// where the sheet is drawn.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { generateSample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import { shows } from '../db/seeds/sample-sheets.ts'
import { makePhotos } from '../db/seeds/sample-photos.ts'
import { photoNamesOf, fileNamesOf } from '../db/seeds/seed-files.ts'
import { hashOf, folderStore } from '../server/files/store.ts'
import { readTiff } from '../server/karten/read-tiff.ts'
import { TRIAL_FILES } from '../server/prepare.ts'
import { readTrialFiles, readTrialPhotos } from './trial-files.ts'

const sheetList = readTrialFiles(TRIAL_FILES)
const photos = readTrialPhotos(TRIAL_FILES)
const built = folderStore(TRIAL_FILES)
const sample = generateSample({ ...TRIAL_SIZE, now: new Date() })

test('each sheet has its files, each file is what its name says, and all of them are small', async () => {
  expect(sheetList.map(({ karte_id }) => karte_id)).toEqual(sample.sheetList.map(({ karte_id }) => karte_id))
  const names: string[] = []
  let bytes = 0
  for await (const { sha256, groesse } of built.liste()) {
    names.push(sha256)
    bytes += groesse
    expect(await hashOf((await built.filePath(sha256))!)).toEqual({ sha256, groesse })
  }
  expect(names.toSorted()).toEqual([...fileNamesOf(sheetList), ...photoNamesOf(photos)].toSorted())
  expect(bytes).toBeLessThan(15_000_000)
  for (const { scan, ergebnis } of sheetList)
    for (const file of [scan, ...(ergebnis === null ? [] : [ergebnis])])
      expect(await built.groesse(file.sha256)).toBe(file.groesse)
})
test('three and more are laid onto the map, where the sheet is said to lie', async () => {
  const laid = sheetList.flatMap(({ karte_id, scan, ergebnis }) =>
    ergebnis === null ? [] : [{ karte_id, scan, ergebnis }],
  )
  expect(laid.length).toBeGreaterThanOrEqual(3)
  for (const { karte_id, scan, ergebnis } of laid) {
    const { request } = sample.sheetList.find((one) => one.karte_id === karte_id)!
    const { lage } = await readTiff((await built.filePath(ergebnis.sha256))!)
    expect(lage!.epsg).toBe(request.epsg)
    // Both show the same sheet: the rotation shifts the result's upper left corner only slightly from the
    // drawn one.
    expect(Math.hypot(lage!.west - request.ost, lage!.nord - request.nord)).toBeLessThan(30)
    const [east, north] = [
      request.ost + (request.breite * request.gsd) / 2,
      request.nord - (request.hoehe * request.gsd) / 2,
    ]
    expect(shows(request, [east, north])).toBe(true)
    const { width, height, density } = await sharp((await built.filePath(scan.sha256))!).metadata()
    expect([width, height, density]).toEqual([scan.breite, scan.hoehe, scan.dpi])
  }
})
test('photos of trees say where and when they were taken; their sizes have no word of the camera', async () => {
  expect(photos.map(({ habitat_id, name }) => [habitat_id, name])).toEqual(
    makePhotos(sample.habitatbaeume).map(({ habitat_id, name }) => [habitat_id, name]),
  )
  expect(photos.length).toBeGreaterThanOrEqual(5)
  for (const photo of photos) {
    expect([photo.breite, photo.hoehe]).toEqual([720, 960])
    expect(photo.groesse).toBeLessThan(200_000)
    expect(photo.aufgenommen_am).toMatch(/^20\d\d-/)
    expect([photo.lon !== null, photo.lat !== null, photo.richtung !== null]).toEqual([true, true, true])
    for (const [name, edge] of [
      [photo.klein, 320],
      [photo.mittel, 800],
      [photo.gross, 960],
    ] as const) {
      const { format, width, height, exif } = await sharp((await built.filePath(name))!).metadata()
      expect([format, Math.max(width, height), exif]).toEqual(['webp', edge, undefined])
    }
  }
})
