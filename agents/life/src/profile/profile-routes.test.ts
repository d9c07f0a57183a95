import { beforeEach, describe, expect, it } from 'vitest'

import { requester, lifeDatabase } from '../memories/memory-store.fixture.ts'
import { places } from '../places/places.ts'
import { createProfileStore } from './profile-store.ts'
import { profileRoutes } from './profile-routes.ts'

const atlas = places()
const born = { birthDate: '农历1990年四月廿一', birthTime: '未时', birthPlace: '四川成都', gender: '女' }

describe('the routes of the profile', () => {
  let ask: ReturnType<typeof requester>
  beforeEach(async () => {
    ask = requester(profileRoutes(createProfileStore(await lifeDatabase()), atlas))
  })

  it('show an empty one of whom nothing is known', async () => {
    expect(await ask('GET /profile')).toEqual({
      status: 200,
      body: { profile: { preferences: { memory: true }, told: {}, lacking: ['birth'] } },
    })
  })

  it('keep a birth, say it in words, and take it away again', async () => {
    const response = await ask('PUT /profile/birth', born)

    expect(response).toMatchObject({
      status: 200,
      body: {
        profile: {
          birth: { date: { calendar: 'lunar', month: 4, day: 21 }, place: { zone: 'Asia/Shanghai' } },
          birthWords: {
            zh: '农历1990年四月廿一，约 14:00，四川成都，女',
            en: 'lunar 1990-04-21, about 14:00, 四川成都, female',
          },
          lacking: [],
        },
      },
    })
    expect((await ask('GET /profile')).body).toEqual(response.body)
    const deletion = await ask('DELETE /profile/birth')
    expect(deletion.body['profile']).not.toHaveProperty('birth')
    expect(deletion.body).toMatchObject({ profile: { lacking: ['birth'] } })
  })

  it('say what a chart would still need', async () => {
    const { body } = await ask('PUT /profile/birth', {
      birth_info: { date: '1990-05-15', time: '不知道', gender: 'male' },
    })

    expect(body).toMatchObject({ profile: { lacking: ['birthTime', 'birthPlace'] } })
  })

  it('change what is named, take away what is null, and keep no signs that nobody sees', async () => {
    await ask('PATCH /profile', {
      displayName: ' 小林\u0000\n',
      focus: '换工作',
      told: { goals: '游泳\n读书' },
      preferences: { voice_mode: 'wise', lang: 'zh', zone: 'Asia/Tokyo' },
    })
    const { body } = await ask('PATCH /profile', { focus: null, preferences: { memory: false, voice: null } })

    expect(body).toMatchObject({
      profile: { displayName: '小林', preferences: { language: 'zh', zone: 'Asia/Tokyo', memory: false } },
    })
    expect(body).toMatchObject({ profile: { told: { goals: '游泳\n读书' } } })
    expect(body['profile']).not.toHaveProperty('focus')
  })

  it('accepts the documented names of fields', async () => {
    const body = { account: { display_name: ' 小林 ', tier: 'free' }, state: { focus: '换工作' } }

    expect((await ask('PATCH /profile', body)).body).toMatchObject({
      profile: { displayName: '小林', focus: '换工作' },
    })
    expect((await ask('PATCH /profile', { ...body, displayName: 'Lin' })).body).toMatchObject({
      profile: { displayName: 'Lin' },
    })
  })

  it.each<[string, unknown, string]>([
    ['PATCH /profile', {}, 'There is nothing to change: give displayName, focus, preferences or told'],
    [
      'PATCH /profile',
      { displayName: '\u0001' },
      'displayName must be a text of 1 to 60 characters, or null',
    ],
    [
      'PATCH /profile',
      { preferences: { voice: 'loud' } },
      'preferences.voice must be one of warm, sarcastic, wise, or null',
    ],
    [
      'PATCH /profile',
      { preferences: { zone: 'Mars' } },
      'preferences.zone must be an IANA time zone like Asia/Shanghai',
    ],
    [
      'PATCH /profile',
      { told: { goals: 'x'.repeat(2001) } },
      'told.goals must be a text of 1 to 2000 characters, or null',
    ],
    [
      'PATCH /profile',
      { account: { tier: 'pro' } },
      'There is nothing to change: give displayName, focus, preferences or told',
    ],
    ['PATCH /profile', { state: { focus: 5 } }, 'state.focus must be a text of 1 to 500 characters, or null'],
    ['PATCH /profile', { state: 'tired' }, 'state must be an object'],
    ['PUT /profile/birth', { birthDate: 5 }, 'birthDate: must be a text.'],
    ['PUT /profile/birth', { birth_info: 5 }, 'birth_info must be an object'],
    ['PUT /profile/birth', { ...born, gender: undefined }, 'gender: is required.'],
    ['PUT /profile/birth', [], 'The body must be a JSON object'],
  ])('%s %j: 400, and nothing is kept', async (request, body, error) => {
    expect(await ask(request, body)).toMatchObject({ status: 400, body: { error } })
    expect((await ask('GET /profile')).body).toMatchObject({ profile: { lacking: ['birth'] } })
  })

  it('know each user alone, and forget one without the others', async () => {
    await ask('PUT /profile/birth', born)
    await ask('PATCH /profile', { displayName: 'Bob' }, 'bob')

    expect(JSON.stringify((await ask('GET /profile', undefined, 'bob')).body)).not.toContain('成都')
    expect(await ask('DELETE /profile', undefined, 'bob')).toEqual({ status: 200, body: { success: true } })
    expect((await ask('GET /profile', undefined, 'bob')).body).toMatchObject({
      profile: { lacking: ['birth'] },
    })
    expect((await ask('GET /profile')).body).toMatchObject({ profile: { lacking: [] } })
  })

  it('lose nothing of changes that come at once', async () => {
    await Promise.all([
      ask('PUT /profile/birth', born),
      ask('PATCH /profile', { displayName: '小林' }),
      ...['context', 'goals', 'concerns'].map((field) => ask('PATCH /profile', { told: { [field]: field } })),
    ])

    expect((await ask('GET /profile')).body).toMatchObject({
      profile: {
        displayName: '小林',
        birth: { gender: 'female' },
        told: { context: 'context', goals: 'goals', concerns: 'concerns' },
      },
    })
  })
})
