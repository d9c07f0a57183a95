import { once } from 'dragoman/async'
import { china } from './china.ts'
import { world } from './world.ts'

export type Province = { readonly chinese: string; readonly english: string; readonly code: string }

/** A town of our own tables. */
export type Town = {
  readonly chinese: string
  readonly latitude: number
  readonly longitude: number
  readonly country: string
  /** In mainland China. */
  readonly province?: Province
  /** It gives its name to a whole prefecture, so that a district's name may follow it. */
  readonly isWide: boolean
}

/** The towns that are known by their Chinese names without any thread or library. */
export const gazetteer = once(
  (): { readonly provinces: readonly Province[]; readonly towns: readonly Town[] } => {
    const provinces: Province[] = []
    const towns: Town[] = []
    for (const [, chinese = '', english = '', code = '', list = ''] of china.matchAll(PROVINCE)) {
      const province = { chinese, english: english.replace('-', ' '), code }
      provinces.push(province)
      const [wide = '', small = ''] = list.split('|')
      towns.push(...townsIn(wide, { country: 'CN', province, isWide: true }))
      towns.push(...townsIn(small, { country: 'CN', province, isWide: false }))
    }
    for (const [country, list] of Object.entries(world)) {
      towns.push(...townsIn(list, { country, isWide: true }))
    }
    return { provinces, towns }
  },
)

const PROVINCE = /^(\S+) (\S+) (\d\d):\n([^:]+)(?=\n\S|$)/gm

function townsIn(list: string, where: Pick<Town, 'country' | 'province' | 'isWide'>): Town[] {
  return Array.from(list.matchAll(/(\S+) (-?[\d.]+),(-?[\d.]+)/g), ([, chinese = '', north, east]) =>
    Object.assign({ chinese, latitude: Number(north), longitude: Number(east) }, where),
  )
}
