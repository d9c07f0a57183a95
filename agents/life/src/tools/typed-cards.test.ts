import { describe, expect, it } from 'vitest'

import { issuesOf } from '../../../../packages/dragoman/src/agents/tool.fixture.ts'
import type { Birth } from '../birth/birth.ts'
import { infoTypes } from '../birth/forms.ts'
import { languages } from '../language.ts'
import type { FoundPlace, WorldPlaces } from '../places/place.ts'
import type { Profile, ProfileChange } from '../profile/profile.ts'
import { calculateBaziTool } from './calculate-bazi-tool.ts'
import { inSummerTime, person } from './charts.fixture.ts'
import { collectBaziInfoTool, requestInfoTool } from './request-info-tools.ts'
import { showRelationshipTool } from './show-relationship-tool.ts'
import { show } from './tools.fixture.ts'

const chengdu: FoundPlace = {
  population: 7_000_000,
  certain: true,
  name: '成都',
  latitude: 30.66,
  longitude: 104.07,
  zone: 'Asia/Shanghai',
  country: 'CN',
}
/** An atlas of one city. */
const places: WorldPlaces = {
  forUser: () => ({ find: async (name) => (/成都|chengdu/i.test(name) ? [chengdu] : []) }),
}
const now = () => new Date('2026-11-24T00:00:00Z')
const typed = { birth_date: '1990-05-15', birth_time: '14:30', gender: 'male' } as const

/** A user, and what is changed of them. */
function profiles(birth?: Birth) {
  const changes: ProfileChange[] = []
  const get = person(birth).get
  const change = async (userId: string, changed: ProfileChange): Promise<Profile> => {
    changes.push(changed)
    return get(userId)
  }
  return { get, change, changes }
}

describe('a chart of typed birth data', () => {
  it.each([
    ['zh', '年柱 庚午，月柱 辛巳，日柱 庚辰，时柱 癸未'],
    ['en', 'day pillar Geng-Chen (庚辰); hour pillar Gui-Wei (癸未)'],
  ] as const)('is shown in %s as any chart, and nothing is kept', async (language, pillars) => {
    const noProfiles = profiles()
    const card = await show(calculateBaziTool(noProfiles, places), typed, language)

    expect(card).toMatchObject({ status: 'success', cardType: 'bazi_chart', saved: false })
    expect(card.text).toContain(pillars)
    expect(noProfiles.changes).toEqual([])
  })

  it.each([
    ['zh', undefined, '已存为你的出生信息'],
    ['zh', inSummerTime, '已替换'],
    ['en', undefined, 'Kept as your birth data; you'],
    ['en', inSummerTime, 'in place of what was there'],
  ] as const)('is kept where it is said to be: %s', async (language, before, words) => {
    const user = profiles(before)
    const card = await show(
      calculateBaziTool(user, places),
      { ...typed, save: true, birth_location: 'Chengdu' },
      language,
    )

    expect(card).toMatchObject({ saved: true, birthInfo: { place: 'Chengdu' } })
    expect(card.text).toContain(words)
    expect(user.changes).toMatchObject([
      { birth: { date: { year: 1990 }, place: { zone: 'Asia/Shanghai' } } },
    ])
  })

  it('is another’s by name, and then not kept', async () => {
    const tool = calculateBaziTool(profiles(), places)

    expect((await show(tool, { ...typed, name: '小明' }, 'zh')).text).toMatch(/^小明的四柱命盘\n/)
    expect((await issuesOf(tool, { ...typed, name: '小明', save: true }))[0]?.path).toEqual(['save'])
  })

  it('says that a double hour is only about right', async () => {
    const tool = calculateBaziTool(profiles(), places)

    expect((await show(tool, { ...typed, birth_time: '未时' }, 'zh')).text).toContain('按这个时辰的中间点')
    expect((await show(tool, { ...typed, birth_time: '未时' }, 'en')).text).toContain('its middle is taken')
    expect(await show(tool, { ...typed, birth_time: '' }, 'zh')).toMatchObject({
      fourPillars: { hour: null },
    })
  })

  it.each([
    [{ birth_date: '1990-02-30' }, 'birth_date'],
    [{ birth_date: 'soon' }, 'birth_date'],
    [{ birth_time: '25:00' }, 'birth_time'],
    [{ birth_location: 'Atlantis' }, 'birth_location'],
  ])('is none of %j, and names the field', async (wrong, field) => {
    const user = profiles()
    const result = show(calculateBaziTool(user, places), { ...typed, save: true, ...wrong }, 'en')

    await expect(result).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(field) as string,
    })
    expect(user.changes).toEqual([])
  })
})

describe('two people', () => {
  const tool = showRelationshipTool(person(inSummerTime), places, now)

  it.each([
    ['zh', ['你和小明', '不打分', '没有存进你的资料', '庚午 辛巳 庚辰 癸未', '解读']],
    ['en', ['You and 小明', 'no verdict', 'not kept in your profile', 'Geng-Wu (庚午)', 'an interpretation']],
  ] as const)('are put side by side in %s, without score or verdict', async (language, parts) => {
    const card = await show(tool, { ...typed, name: '小明' }, language)

    expect(card).toMatchObject({
      cardType: 'bazi_relationship',
      mine: { fourPillars: { day: { name: '丁巳' } } },
      theirs: { fourPillars: { day: { name: '庚辰' } } },
      tenGods: { theirsToMine: '正财', mineToTheirs: '正官' },
    })
    for (const part of parts) expect(card.text).toContain(part)
    expect(Object.keys(card).join()).not.toMatch(/score|rating/i)
    for (const side of ['mine', 'theirs']) {
      for (const { text } of (card[side] as { warnings: { text: string }[] }).warnings) {
        expect(card.text).toContain(text)
      }
    }
  })

  it.each([
    ['the user', { ...inSummerTime, date: { calendar: 'solar', year: 2013, month: 5, day: 1 } }, typed],
    ['the other', inSummerTime, { ...typed, birth_date: '2008-11-25' }],
  ] as const)('are not put side by side where %s is under 18', async (_who, mine, theirs) => {
    const result = show(showRelationshipTool(person(mine), places, now), theirs, 'en')

    await expect(result).rejects.toMatchObject({
      code: 'denied',
      message: expect.stringMatching(/under 18/) as string,
      translations: { zh: expect.stringMatching(/18 岁/) as string },
    })
  })

  it.each(languages)('need the user’s own birth first, in %s', async (language) => {
    const card = await show(showRelationshipTool(person(), places, now), typed, language)

    expect(card).toMatchObject({ status: 'error', cardType: 'need_info', need_info: 'birth' })
  })
})

describe('a form', () => {
  it.each(infoTypes.flatMap((type) => languages.map((language) => [type, language] as const)))(
    'for %s is asked for in %s, and can be read aloud',
    async (info_type, language) => {
      const card = await show(requestInfoTool(), { info_type }, language)
      const fields = card['fields'] as { id: string; label: string }[]

      expect(card).toMatchObject({ status: 'collecting', cardType: 'collect_form', infoType: info_type })
      for (const { label } of fields) expect(card.text).toContain(`- ${label}`)
      expect(/\p{Script=Han}/u.test(card.text)).toBe(language === 'zh')
    },
  )

  it('has the question that it is given, or none', async () => {
    const question = '先告诉我生日？'

    expect(await show(requestInfoTool(), { info_type: 'birth', question }, 'zh')).toMatchObject({ question })
    expect(await show(collectBaziInfoTool(), { question }, 'zh')).toMatchObject({
      question,
      infoType: 'birth',
    })
    expect(await show(collectBaziInfoTool(), { include_question: false }, 'zh')).not.toHaveProperty(
      'question',
    )
  })
})
