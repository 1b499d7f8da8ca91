// Hands that only have a keyboard. Each stop on their way is measured: a ring that contrasts with what is around
// it, and nothing in front of what has the focus.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** WCAG 2.4.13: two pixels, at 3 to 1. */
const RING = { width: 2, contrast: 3 }

interface Stop {
  readonly what: string
  /** What a person could not see; empty where all is well. */
  readonly faults: readonly string[]
}

/** The focused element as a person sees it; null if it is the page itself. */
const stopAt = (page: Page): Promise<Stop | null> =>
  page.evaluate(async (ring) => {
    // Scrolling into sight and sticky bars settle with the next picture.
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
    const element = document.activeElement
    if (element === null || element === document.body) return null

    const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true })!
    const colourOf = (css: string): number[] => {
      canvas.clearRect(0, 0, 1, 1)
      canvas.fillStyle = css
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data]
    }
    const luminance = ([r, g, b]: number[]): number => {
      const [x, y, z] = [r!, g!, b!].map((byte) =>
        byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
      )
      return 0.2126 * x! + 0.7152 * y! + 0.0722 * z!
    }
    const groundOf = (from: Element | null): number[] => {
      for (let one = from; one !== null; one = one.parentElement) {
        const colour = colourOf(getComputedStyle(one).backgroundColor)
        if (colour[3]! > 127) return colour
      }
      return [255, 255, 255, 255]
    }
    /** Why this element draws no ring that can be seen; null if it does. */
    const ringFault = (one: Element | null): string | null => {
      if (one === null) return 'no ring'
      const { outlineStyle, outlineWidth, outlineColor, outlineOffset, visibility } = getComputedStyle(one)
      const { width, height } = one.getBoundingClientRect()
      if (outlineStyle === 'none' || visibility !== 'visible' || width <= 1 || height <= 1) return 'no ring'
      if (parseFloat(outlineWidth) < ring.width) return `a ring of ${outlineWidth}`
      const around = groundOf(parseFloat(outlineOffset) < 0 ? one : one.parentElement)
      const [light, dark] = [luminance(colourOf(outlineColor)), luminance(around)].toSorted((a, b) => b - a)
      const contrast = (light! + 0.05) / (dark! + 0.05)
      return contrast < ring.contrast ? `a ring of ${contrast.toFixed(1)} to 1` : null
    }
    /** Itself, or what draws the ring for a field that is not to be seen. */
    const label = element.closest('label')
    const drawn = [element, element.nextElementSibling, label, element.parentElement]
    const found = drawn.map(ringFault)

    const own = element.getBoundingClientRect()
    const unseen = own.width <= 1 || getComputedStyle(element).opacity === '0'
    const box = (unseen && label) || element
    const near = (top: Element): boolean =>
      element.contains(top) ||
      top.contains(element) ||
      label?.contains(top) === true ||
      (element.parentElement?.matches('form, main, body, dialog') === false &&
        element.parentElement.contains(top))
    const covers: string[] = []
    const { left, top: upper, width, height } = box.getBoundingClientRect()
    const small = height < innerHeight / 2 && width < innerWidth
    if (small)
      for (const [x, y] of [0.1, 0.5, 0.9].flatMap((x) => [0.1, 0.5, 0.9].map((y) => [x, y] as const))) {
        const top = document.elementFromPoint(left + width * x, upper + height * y)
        if (top === null) covers.push('the edge of the window')
        else if (!near(top)) covers.push(`${top.tagName.toLowerCase()}.${top.className}`)
      }
    const name =
      element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('name'))
    return {
      what: `${element.tagName.toLowerCase()}${element.id && '#'}${element.id} „${name?.slice(0, 60)}“`,
      faults: [
        ...(element.matches('h1, h2') || found.includes(null)
          ? []
          : [found.find((fault) => fault !== 'no ring') ?? 'no ring']),
        ...new Set(covers.map((cover) => `behind ${cover}`)),
      ],
    }
  }, RING)

export const isFocused = (place: Locator): Promise<boolean> =>
  place.evaluate((element) => element === document.activeElement).catch(() => false)

export class Keys {
  /** What could not be seen on the way. A journey ends with none. */
  readonly faults: string[] = []
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }

  press = (key: string): Promise<void> => this.page.keyboard.press(key)
  type = (text: string): Promise<void> => this.page.keyboard.type(text)

  async retype(text: string): Promise<void> {
    await this.press('Control+a')
    await this.type(text)
  }

  /** Measures where the focus is. */
  async look(): Promise<Stop | null> {
    let stop = await stopAt(this.page)
    // A long list draws its next rows, a message makes way: what counts is where it comes to rest.
    for (let pictures = 0; pictures < 10 && stop !== null && stop.faults.length > 0; pictures++)
      stop = await stopAt(this.page)
    for (const fault of stop?.faults ?? []) this.faults.push(`${stop?.what}: ${fault}`)
    return stop
  }

  /** The focus is here, or comes here without a key: to a new window, or back from one. */
  async isAt(place: Locator): Promise<void> {
    await expect.poll(() => isFocused(place), { message: `focus on ${String(place)}` }).toBe(true)
    await this.look()
  }

  /** After a window whose button is gone with it, the next Tab does not begin at the top of the page. */
  async isSomewhere(): Promise<void> {
    const where = () => this.page.evaluate(() => document.activeElement !== document.body)
    await expect.poll(where, { message: 'the focus is lost' }).toBe(true)
    await this.look()
  }

  /** Presses Tab until the place is reached, and looks at each stop on the way. */
  async tabTo(place: Locator, { key = 'Tab', most = 150 } = {}): Promise<void> {
    await place.waitFor()
    for (let stops = 0; stops < most; stops++) {
      if (await isFocused(place)) return
      await this.press(key)
      await this.look()
    }
    throw new Error(`not reached within ${most} stops: ${String(place)}`)
  }

  /** Presses an arrow key until the entry of a menu or list has the focus. */
  async arrowTo(entry: Locator, key = 'ArrowDown'): Promise<void> {
    await entry.waitFor()
    for (let stops = 0; stops < 40 && !(await isFocused(entry)); stops++) await this.press(key)
    await this.isAt(entry)
  }

  /** Goes to a button and presses it. */
  async push(button: Locator, by?: { key?: string; most?: number }): Promise<void> {
    await this.tabTo(button, by)
    await this.press('Enter')
  }

  /** Goes to a field and writes into it what it then contains. */
  async write(field: Locator, text: string, by?: { key?: string; most?: number }): Promise<void> {
    await this.tabTo(field, by)
    await this.retype(text)
  }

  /** Types into the focused search field and takes the first hit. */
  async choose(word: string, within: Locator | Page = this.page): Promise<void> {
    await this.type(word)
    await within.getByRole('option').first().waitFor()
    await this.press('Enter')
  }
}
