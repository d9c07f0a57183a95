import type { Strip } from './layout-context.ts'

/** A strip, and how far its top is below the top of its page's column. */
export type PlacedStrip = { readonly strip: Strip; readonly y: number }

/**
 * Puts strips on pages. Those that keep together go to the next page together, unless they need more than a whole
 * one.
 */
export function paginate(strips: readonly Strip[], height: number): readonly (readonly PlacedStrip[])[] {
  const pages: PlacedStrip[][] = [[]]
  let y = 0
  let at = 0
  while (at < strips.length) {
    const chain = chainAt(strips, at, height)
    const needed = chain.reduce(
      (sum, strip, place) => sum + strip.height + (place === 0 && y === 0 ? 0 : strip.before),
      0,
    )
    if (y > 0 && y + needed > height) {
      pages.push([])
      y = 0
    }
    for (const strip of chain) {
      const top = y === 0 ? 0 : y + strip.before
      pages.at(-1)?.push({ strip, y: top })
      y = top + strip.height
    }
    at += chain.length
  }
  return pages
}

/** The strips from here on that belong together. One that alone is too tall stands alone. */
function chainAt(strips: readonly Strip[], from: number, height: number): readonly Strip[] {
  let to = from
  let tall = 0
  while (to < strips.length) {
    const strip = strips[to]
    if (!strip) break
    tall += strip.before + strip.height
    if (to > from && tall > height) break
    to += 1
    if (!strip.keep) break
  }
  return strips.slice(from, to)
}
