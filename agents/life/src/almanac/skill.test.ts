import { describe, expect, it } from 'vitest'

import { createSkillStore } from '../skills/skill-store.ts'
import { person } from '../tools/charts.fixture.ts'
import { almanacFeature } from './almanac-feature.ts'

describe('the almanac’s skill', () => {
  it('comes with us, and has the room’s tools', async () => {
    const own = new Set(almanacFeature(person()).tools?.map(({ name }) => name))
    const { skills: all, notes } = await createSkillStore({ home: '/nowhere', own: () => own }).library()
    const almanac = all.find(({ name }) => name === 'almanac')

    expect(almanac?.tools.map(({ name }) => name)).toEqual(['show_almanac', 'find_days'])
    expect(almanac?.files).toEqual(['rules/terms.md'])
    expect(almanac?.title).toEqual({ zh: '黄历择日', en: 'Almanac' })
    expect(notes.filter((note) => note.includes('almanac'))).toEqual([])
  })
})
