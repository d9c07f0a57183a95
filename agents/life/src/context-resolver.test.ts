import { beforeEach, describe, expect, it } from 'vitest'

import type { Database } from 'dragoman/database'
import type { Json, UserPart } from 'dragoman/events'
import { lifeDatabase } from './memories/memory-store.fixture.ts'
import type { FoundPlace, WorldPlaces } from './places/place.ts'
import { createProfileStore } from './profile/profile-store.ts'
import { contextResolver } from './context-resolver.ts'

const chengdu: FoundPlace = {
  population: 7_000_000,
  certain: true,
  name: 'Chengdu',
  latitude: 30.66,
  longitude: 104.06,
  zone: 'Asia/Shanghai',
  country: 'CN',
}
const parises: readonly FoundPlace[] = [
  {
    name: 'Paris, France',
    population: 2_000_000,
    certain: true,
    latitude: 48.85,
    longitude: 2.35,
    zone: 'Europe/Paris',
    country: 'FR',
  },
  {
    name: 'Paris, Texas',
    population: 500_000,
    certain: true,
    latitude: 33.66,
    longitude: -95.56,
    zone: 'America/Chicago',
    country: 'US',
  },
]
const atlas: WorldPlaces = {
  forUser: () => ({
    find: async (name) => (name === '成都' ? [chengdu] : name === 'Paris' ? parises : []),
  }),
}
const say = (text: string): UserPart[] => [{ type: 'text', text }]
const form = { birthDate: '1990-05-15', birthTime: '14:30', birthPlace: '成都', gender: '男' }

describe('what a client says of its surroundings', () => {
  let db: Database
  beforeEach(async () => {
    db = await lifeDatabase()
  })
  const settle = (context: Json, words = '你好', userId = 'ada') =>
    contextResolver(createProfileStore(db), atlas)(context, userId, say(words))

  it('is read from what AG-UI forwards too, and a form is not told from there either', async () => {
    const forwardedProps = { form, voiceMode: 'wise', agent: 'life' }

    expect(await settle({ skills: ['bazi'], forwardedProps })).toMatchObject({
      skills: ['bazi'],
      voiceMode: 'wise',
      formSaved: 'birth',
      forwardedProps: { agent: 'life' },
    })
    expect(JSON.stringify(await settle({ forwardedProps: { form } }))).not.toMatch(/1990|forwardedProps/)
    await expect(settle({ forwardedProps: { voiceMode: 'loud' } })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/^forwardedProps\.voiceMode: must be one of warm/),
    })
  })

  it.each([
    ['你好', 'zh'],
    ['Hello', 'en'],
    ['看看 my chart', 'zh'],
    ['🙂', 'zh'],
  ])('has the language of the words %s', async (words, language) => {
    expect(await settle({}, words)).toEqual({ language })
  })

  it.each([
    ['ok', 'zh', 'zh'],
    ['OK, thanks', 'zh', 'zh'],
    ['2027', 'en', 'en'],
    ['🙂', 'en', 'en'],
    ['Tell me more', 'zh', 'en'],
    ['好', 'en', 'zh'],
  ])(
    'goes on after “%s” in the language of the message before, %s: %s',
    async (words, lastLanguage, language) => {
      expect(await settle({ lastLanguage }, words)).toEqual({ language })
    },
  )

  it.each([
    ['zh-CN', 'zh'],
    ['zh-TW', 'zh'],
    ['zh_Hans', 'zh'],
    ['EN', 'en'],
    ['en-US', 'en'],
  ])('takes the language %s for %s', async (tag, language) => {
    expect(await settle({ language: tag, lastLanguage: 'zh' }, '2027')).toEqual({ language })
  })

  it('has what the profile says where the client says nothing', async () => {
    await createProfileStore(db).change('ada', {
      preferences: { voice: 'wise', zone: 'Europe/Oslo', language: 'en' },
    })

    expect(await settle({}, '🙂')).toEqual({ language: 'en', voiceMode: 'wise', timeZone: 'Europe/Oslo' })
    expect(await settle({ voiceMode: 'warm', timeZone: 'UTC' })).toMatchObject({
      voiceMode: 'warm',
      timeZone: 'UTC',
    })
  })

  it('keeps a form, and tells which it was', async () => {
    expect(await settle({ form: { info_type: 'birth', ...form } })).toEqual({
      language: 'zh',
      formSaved: 'birth',
    })
    expect((await createProfileStore(db).get('ada')).birth).toEqual({
      date: { calendar: 'solar', year: 1990, month: 5, day: 15 },
      time: { hour: 14, minute: 30 },
      gender: 'male',
      place: { name: '成都', latitude: 30.66, longitude: 104.06, zone: 'Asia/Shanghai', country: 'CN' },
      options: { dayBoundary: '23:00', trueSolarTime: false, applyDst: true },
    })
    expect(await createProfileStore(db).get('ben')).toEqual({ preferences: { memory: true }, told: {} })
  })

  it.each([
    [{ date: '1990-05-15', time: '', place: '', gender: 'female' }, 'birth'],
    [{ goals: '今年想学会游泳' }, 'goals'],
    [{ info_type: 'concerns', concerns: 'Talking with my family' }, 'concerns'],
  ])('knows a form by its fields: %j', async (filled, formSaved) => {
    expect(await settle({ form: filled })).toEqual({ language: 'zh', formSaved })
  })

  it.each([
    [{ form: { ...form, birthDate: '1990-02-30' } }, 'birthDate'],
    [{ form: { ...form, birthDate: '1850-01-01' } }, 'form.birthDate'],
    [{ form: { ...form, birthDate: '2099-01-01' } }, 'form.birthDate'],
    [{ form: { ...form, birthTime: '25:00' } }, 'form.birthTime'],
    [{ form: { ...form, birthPlace: 'Nowhere' } }, 'form.birthPlace'],
    [{ form: { ...form, birthPlace: 'Paris' } }, 'form.birthPlace'],
    [{ form: { ...form, gender: '' } }, 'form.gender'],
    [{ form: { ...form, trueSolarTime: 'maybe' } }, 'form.trueSolarTime'],
    [{ form: { info_type: 'wishes' } }, 'form.info_type'],
    [{ form: { goals: ' ' } }, 'form.goals'],
    [{ voiceMode: 'loud' }, 'context.voiceMode'],
    [{ timeZone: 'Mars/Olympus' }, 'context.timeZone'],
    [{ language: 'fr' }, 'context.language'],
  ])('is refused by a sentence that names the field, and nothing is kept: %j', async (context, field) => {
    await expect(settle(context)).rejects.toMatchObject({ message: expect.stringContaining(field) as string })
    expect(await createProfileStore(db).get('ada')).toEqual({ preferences: { memory: true }, told: {} })
  })

  it('names the places where there are several of a name', async () => {
    await expect(settle({ form: { ...form, birthPlace: 'Paris' } })).rejects.toMatchObject({
      details: { places: [{ name: 'Paris, France' }, { name: 'Paris, Texas' }] },
    })
  })

  it('takes no form that a client says was saved', async () => {
    expect(await settle({ formSaved: 'birth' })).toEqual({ language: 'zh' })
  })
})
