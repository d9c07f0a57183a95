import { describe, expect, it } from 'vitest'

import type { Profiles } from '../profile/profile.ts'
import { skills } from '../skills/skills.ts'
import { almanacFeature } from './almanac-feature.ts'

const noProfiles: Profiles = {
  get: () => Promise.reject(new Error('Nobody is asked for.')),
  change: () => Promise.reject(new Error('Nobody is changed.')),
  remove: async () => undefined,
}

describe('the almanac’s skill', () => {
  it('comes with us, and has the room’s tools', async () => {
    const own = new Set(almanacFeature(noProfiles).tools?.map(({ name }) => name))
    const { skills: all, notes } = await skills({ home: '/nowhere', own: () => own }).library()
    const almanac = all.find(({ name }) => name === 'almanac')

    expect(almanac?.tools.map(({ name }) => name)).toEqual(['show_almanac', 'find_days'])
    expect(almanac?.files).toEqual(['rules/terms.md'])
    expect(almanac?.title).toEqual({ zh: '黄历择日', en: 'Almanac' })
    expect(notes.filter((note) => note.includes('almanac'))).toEqual([])
  })
})
