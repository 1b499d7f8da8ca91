// Puts the chosen base map below all other layers: pictures in the layer that is always there, vector tiles in
// one of their own, whose code is loaded when it is needed.
import BaseObject from 'ol/Object.js'
import type TileLayer from 'ol/layer/Tile.js'
import type OlMap from 'ol/Map.js'
import type ImageTile from 'ol/source/ImageTile.js'
import type TileSource from 'ol/source/Tile.js'
import type { BaseMap, BaseMapRaster } from '#contract/base-map.ts'
import { fetchBaseTile } from './base-maps.data.ts'
import { ARRIVED, baseMapSource } from './ol-sources.ts'

export interface BaseMapSwitch {
  readonly show: (karte: BaseMap | null) => void
  /** Its property `source` is that of the base map shown, or null. */
  readonly shown: BaseObject
  readonly refresh: () => void
  readonly dispose: () => void
}

export const shownSource = (shown: BaseObject): TileSource | null =>
  (shown.get('source') as TileSource | null | undefined) ?? null

export function baseMapSwitch(map: OlMap, pictures: TileLayer<ImageTile>, fail: () => void): BaseMapSwitch {
  const shown = new BaseObject()
  let remove = () => {}
  let wanted = 0
  const present = (source: TileSource | null) => {
    source?.on('tileloaderror' as 'change', fail)
    // Its tiles may be there before the background's code is.
    source?.once('tileloadend' as 'change', () => source.set(ARRIVED, true))
    shown.set('source', source)
  }
  // The field mode sets its own source.
  pictures.on('change:source', () => present(pictures.getSource()))
  const showVector = async (karte: BaseMap, nr: number) => {
    const target = map.getTargetElement()
    const { vectorMapLayer } = await import('./ol-vector-map.ts')
    if (nr !== wanted || !target) return
    const { layer, source, dispose } = vectorMapLayer(target, {
      min: karte.min,
      max: karte.max,
      tileAt: (at) => fetchBaseTile(karte, at),
    })
    map.addLayer(layer)
    present(source)
    remove = () => {
      dispose()
      map.removeLayer(layer)
    }
  }
  const clear = () => {
    wanted++
    remove()
    remove = () => {}
  }
  const showRaster = async (karte: BaseMap, raster: BaseMapRaster, nr: number) => {
    const { rasterSource } = await import('./ol-raster-map.ts')
    const source = await rasterSource(karte, raster)
    if (nr === wanted) pictures.setSource(source)
  }
  return {
    shown,
    show: (karte) => {
      clear()
      const { datei, raster } = karte ?? {}
      const usual = karte === null || datei?.form === 'vektor' || raster !== undefined ? null : karte
      pictures.setSource(usual && baseMapSource(usual))
      if (usual === null) shown.set('source', null)
      if (karte !== null && datei?.form === 'vektor') showVector(karte, wanted).catch(fail)
      else if (karte !== null && raster !== undefined) showRaster(karte, raster, wanted).catch(fail)
    },
    refresh: () => shownSource(shown)?.refresh(),
    dispose: clear,
  }
}
