// What the build has laid ready for a trial: files that are what their names say, of every sheet, small, and laid where the sheet is drawn.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { generateSample, TRIAL_SIZE } from '../db/seeds/sample.ts'
import { zeigt } from '../db/seeds/sample-blaetter.ts'
import { namenOf } from '../db/seeds/seed-dateien.ts'
import { hashOf, ordnerAblage } from '../server/dateien/ablage.ts'
import { liesTiff } from '../server/karten/tiff-lesen.ts'
import { TRIAL_FILES } from '../server/prepare.ts'
import { readTrialFiles } from './trial-files.ts'

const blaetter = readTrialFiles(TRIAL_FILES)
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
  expect(names.toSorted()).toEqual(namenOf(blaetter).toSorted())
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
