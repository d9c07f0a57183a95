import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { AppEnv } from 'dragoman/agents'
import { birthAt } from '../chart/birth.fixture.ts'
import { lifeDatabase, requester } from '../memories/memory-store.fixture.ts'
import { places } from '../places/places.ts'
import type { ProfileChange } from '../profile/profile.ts'
import { createProfileStore } from '../profile/profile-store.ts'
import type { LifeTables } from '../life-tables.ts'
import { greetingShape, type Greeting } from './greeting.ts'
import { greetingFeature } from './greeting-feature.ts'

const STORED = '/api/fortune/greeting'
const BY_REQUEST = '/api/v1/fortune/greeting'
/** 2026-01-21 09:00 in Shanghai. */
const MORNING = '2026-01-21T01:00:00Z'

async function setUp(at = MORNING) {
  const db = await lifeDatabase()
  const people = createProfileStore(db)
  const clock = { at }
  const room = greetingFeature({ db, profiles: people, places: places(), now: () => new Date(clock.at) })
  const app = new Hono<AppEnv>()
  for (const [path, routes] of Object.entries(room.routesAt ?? {})) app.route(path, routes)
  const send = requester(app, '')
  const ask = (path = STORED, body?: unknown, { user = 'ada', ...headers }: Record<string, string> = {}) =>
    send(`${body === undefined ? 'GET' : 'POST'} ${path}`, body, user, headers)
  const greeting = async (...request: Parameters<typeof ask>): Promise<Greeting> =>
    greetingShape.parse((await ask(...request)).body)
  const rows = () => db.withTables<LifeTables>().selectFrom('life_greetings').selectAll().execute()
  const know = (change: ProfileChange) => people.change('ada', change)
  return { room, clock, ask, greeting, rows, know }
}

describe('the greeting of the day', () => {
  it('is there for somebody of whom nothing is known', async () => {
    const { greeting } = await setUp()

    expect(await greeting()).toMatchObject({
      success: true,
      date: '2026-01-21',
      language: 'zh',
      voice: 'warm',
      greeting_type: 'morning',
      title: '早安 · 1月21日 星期三 · 大寒',
      solarTerm: '大寒',
      fortune_hint: '宜: 祭祀、解除 | 忌: 开市、动土',
      basis: { dayPillar: '乙未', theme: '木', personal: false, festivals: [] },
    })
  })

  it('rests on how the day stands to their birth', async () => {
    const { greeting, know } = await setUp()
    // 庚午 辛巳 庚辰: a day of 乙 is its 正财, and 未 unites with 午.
    await know({ birth: birthAt('1990-05-15 14:30'), displayName: 'Ada', preferences: { language: 'en' } })

    const one = await greeting()

    expect(one.basis).toMatchObject({ theme: '正财', personal: true, dayMaster: '庚', relation: 'union' })
    expect(one.greeting).toMatch(/orning, Ada, .*birth pillars/)
    expect(one.title).toBe('Good morning · 21 January · Major Cold')
  })

  it('is the same all day, also once the words would be others', async () => {
    const { greeting, rows, clock, know } = await setUp()
    const first = await greeting(`${STORED}?greeting_type=morning`)

    clock.at = '2026-01-21T15:30:00Z'
    const again = await greeting(`${STORED}?greeting_type=morning`)

    expect(again).toEqual(first)
    expect(await rows()).toHaveLength(1)
    await know({ birth: birthAt('1990-05-15 14:30') })
    expect((await greeting(`${STORED}?greeting_type=morning`)).basis.personal).toBe(true)
  })

  it('is another’s own', async () => {
    const { greeting, know } = await setUp()
    await know({ birth: birthAt('1990-05-15 14:30'), displayName: '小雨' })

    const [ada, bob] = [await greeting(STORED), await greeting(STORED, undefined, { user: 'bob' })]

    expect(ada.greeting).toContain('小雨')
    expect(bob.greeting).not.toContain('小雨')
    expect(bob.basis.personal).toBe(false)
  })

  it('comes in three voices and two languages, of one day', async () => {
    const { greeting } = await setUp()
    const all = await Promise.all(
      ['warm', 'sarcastic', 'wise'].flatMap((voice) =>
        ['zh', 'en'].map((language) => greeting(`${STORED}?voice_mode=${voice}&language=${language}`)),
      ),
    )

    expect(new Set(all.map((one) => one.greeting)).size).toBe(6)
    expect(new Set(all.map((one) => one.basis.theme))).toEqual(new Set(['木']))
  })

  it.each([
    ['Asia/Shanghai', '2026-01-20T15:59:00Z', '2026-01-20T16:01:00Z'],
    ['America/New_York', '2026-01-21T04:59:00Z', '2026-01-21T05:01:00Z'],
    ['Pacific/Auckland', '2026-01-20T10:59:00Z', '2026-01-20T11:01:00Z'],
  ])('changes at midnight in %s', async (zone, before, after) => {
    const { greeting, clock } = await setUp(before)

    const late = await greeting(`${STORED}?time_zone=${zone}`)
    clock.at = after
    const early = await greeting(`${STORED}?time_zone=${zone}`)

    expect([late.date, late.greeting_type]).toEqual(['2026-01-20', 'evening'])
    expect([early.date, early.greeting_type]).toEqual(['2026-01-21', 'evening'])
  })

  it('speaks of a term on its day and on the day before', async () => {
    const { greeting, clock } = await setUp('2026-02-03T02:00:00Z')

    const eve = await greeting()
    clock.at = '2026-02-04T02:00:00Z'
    const day = await greeting()

    expect([eve.basis.termOccasion, eve.solarTerm]).toEqual(['tomorrow', '大寒'])
    expect(eve.greeting).toMatch(/明天.*立春|立春明天/)
    expect([day.basis.termOccasion, day.solarTerm]).toEqual(['today', '立春'])
    expect(day.greeting).toContain('立春')
  })

  it('takes the language that a browser reads, where nobody has chosen one', async () => {
    const { greeting } = await setUp()
    const headers = { 'accept-language': 'fr;q=0.9, en-GB;q=0.8, zh;q=0.5' }

    expect((await greeting(STORED, undefined, headers)).language).toBe('en')
    expect((await greeting(`${STORED}?language=zh`, undefined, headers)).language).toBe('zh')
  })

  it('of days gone by is let go of', async () => {
    const { room, greeting, rows, clock } = await setUp()
    await greeting()
    clock.at = '2026-01-30T01:00:00Z'
    await greeting()
    const over = new AbortController()

    const work = room.background?.(over.signal, () => undefined)
    over.abort()
    await work

    expect((await rows()).map(({ day }) => day)).toEqual(['2026-01-30'])
  })
})

describe('a greeting by a profile that comes along', () => {
  it.each([
    [{ birthDate: '1990-05-15', birthTime: '14:30', gender: 'male' }],
    [{ birth_info: { date: '1990-05-15', time: '14:30', gender: 'male' } }],
    [{ birthDate: '1990-05-15', birthPlace: '没有这个村子的村子', trueSolarTime: true }],
    [{ birthDate: '1990-05-15', gender: 5 }],
    [{ birth_info: { date: '1990-05-15', time: '', place: '', gender: 'other' } }],
    [{ birth_info: { date: '1990年5月15日' }, account: { tier: 'free', display_name: '小雨' } }],
  ])('rests on it: %j', async (profile) => {
    const { greeting } = await setUp()

    const one = await greeting(BY_REQUEST, { profile, voice_mode: 'wise' })

    expect(one).toMatchObject({ voice: 'wise', greeting_type: 'morning', basis: { dayMaster: '庚' } })
  })

  it.each([
    [{ birth_info: { date: '', time: '', place: '', gender: '' } }],
    [{ birth_info: { date: null, gender: 'female' } }],
    [{ birthDate: '  ', birthTime: '14:30' }],
    [{ display_name: '小雨', location: 'Berlin' }],
  ])('depends on the day alone without a date of birth: %j', async (profile) => {
    const { greeting } = await setUp()

    expect((await greeting(BY_REQUEST, { profile })).basis.personal).toBe(false)
  })

  it('leaves nothing behind', async () => {
    const { greeting, rows } = await setUp()

    await greeting(BY_REQUEST, { profile: { birthDate: '1990-05-15' } })

    expect(await rows()).toEqual([])
    expect((await greeting()).basis.personal).toBe(false)
  })

  it('is by the stored one where none comes', async () => {
    const { ask, know } = await setUp()
    await know({ birth: birthAt('1990-05-15 14:30') })

    expect((await ask(BY_REQUEST, {})).body).toMatchObject({ basis: { personal: true } })
  })

  it.each([
    [{ voice_mode: 'loud' }, 'voice_mode must be one of warm, sarcastic, wise'],
    [{ greeting_type: 'brunch' }, 'greeting_type must be one of morning, noon, afternoon, evening'],
    [{ language: 'fr' }, 'language must be one of zh, en'],
    [{ time_zone: 'Mars/Base' }, 'time_zone must be an IANA time zone, as Asia/Shanghai'],
    [{ profile: 'me' }, 'profile must be an object'],
    [{ profile: { birthDate: 'soon' } }, 'profile.birthDate: write it as'],
    [{ profile: { birthDate: 5 } }, 'profile.birthDate: '],
    [{ profile: { birthDate: '1990-05-15', birthTime: '99' } }, 'profile.birthTime: '],
    [{ profile: { birth_info: { date: '1990-02-30' } } }, 'profile.'],
  ])('is refused for %j', async (body, sentence) => {
    const { ask } = await setUp()

    const refused = await ask(BY_REQUEST, body)

    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ success: false, error: expect.stringContaining(sentence) })
  })
})

describe('somebody in need', () => {
  it.each([
    ['zh', '不想活了', '12356'],
    ['en', 'I want to die', '988'],
  ] as const)('is not teased, and told whom to call, in %s', async (language, concerns, number) => {
    const { greeting, know, rows } = await setUp()
    const before = await greeting(`${STORED}?voice_mode=sarcastic&language=${language}`)
    await know({ told: { concerns } })

    const one = await greeting(`${STORED}?voice_mode=sarcastic&language=${language}`)

    expect(before.support).toBeUndefined()
    expect(one.voice).toBe('warm')
    expect(one.greeting).toContain(number)
    expect(one.support?.resources.map(({ contact }) => contact)).toEqual([
      '12356',
      '18111',
      '1925',
      '988',
      'https://findahelpline.com',
    ])
    expect(await rows()).toHaveLength(2)
  })

  it('is heard in a profile that comes along, too', async () => {
    const { greeting } = await setUp()

    const one = await greeting(BY_REQUEST, { profile: { extracted: { pain_points: ['活着没意思'] } } })

    expect(one.support?.text).toContain('12356')
  })
})
