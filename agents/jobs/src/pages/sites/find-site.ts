import { chineseSites } from './chinese.ts'
import type { Site } from './site.ts'
import { westernSites } from './western.ts'

const byName: ReadonlyMap<string, Site> = new Map(
  [...westernSites, ...chineseSites].flatMap((site) => site.names.map((name) => [name, site])),
)

/** The board that an address belongs to, if we know it. */
export function siteOf(url: URL): Site | undefined {
  for (const label of url.hostname.split('.')) {
    const site = byName.get(label)
    if (site) return site
  }
  return undefined
}
