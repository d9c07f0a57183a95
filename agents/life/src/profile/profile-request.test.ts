import { describe, expect, it } from 'vitest'

import { profileChangeBody, toChange } from './profile-request.ts'

describe('a change of a profile', () => {
  it.each([
    [
      { account: { display_name: ' 小林 ' }, state: { focus: '换工作' } },
      { displayName: '小林', focus: '换工作' },
    ],
    [{ displayName: 'Lin', account: { display_name: '小林', tier: 'free' } }, { displayName: 'Lin' }],
    [{ state: { focus: null } }, { focus: null }],
    [{ preferences: { voice_mode: 'wise', lang: 'zh' } }, { preferences: { voice: 'wise', language: 'zh' } }],
  ])('may come by the documented names: %j', (body, change) => {
    expect(toChange(profileChangeBody.parse(body))).toEqual(change)
  })

  it.each([
    [{}, 'There is nothing to change'],
    [{ account: { tier: 'pro' } }, 'There is nothing to change'],
    [{ account: { display_name: '' } }, 'account.display_name must be a text'],
    [{ state: { focus: 5 } }, 'state.focus must be a text'],
    [{ state: 'tired' }, 'state must be an object'],
  ])('is refused where it is %j, naming the field', (body, words) => {
    const { error } = profileChangeBody.safeParse(body)
    expect(error?.issues.map(({ message }) => message).join()).toContain(words)
  })
})
