import { describe, expect, it } from 'vitest'

import { standing, statusFilter, type Status, type SubStatus } from './status.ts'

describe('a status', () => {
  it.each([
    ['New', 'inbox'],
    ['Applied', 'applied'],
    ['Interview', 'interviewing'],
    ['Offer', 'offer'],
    ['Rejected', 'rejected'],
    ['Skipped', 'skipped'],
    [' interviewing ', 'interviewing'],
  ])('%j is %s', (text, status) => {
    expect(statusFilter('status', text)).toBe(status)
  })
})

describe('a change of status', () => {
  type Place = readonly [Status, string | null]

  it.each<[Place, [Status | undefined, SubStatus | null | undefined], Place]>([
    [
      ['inbox', null],
      [undefined, 'screening'],
      ['interviewing', 'screening'],
    ],
    [
      ['applied', null],
      [undefined, 'assessment'],
      ['interviewing', 'assessment'],
    ],
    [
      ['applied', null],
      ['interviewing', 'onsite'],
      ['interviewing', 'onsite'],
    ],
    [
      ['inbox', null],
      [undefined, 'no_response'],
      ['applied', 'no_response'],
    ],
    [
      ['offer', null],
      [undefined, 'accepted'],
      ['offer', 'accepted'],
    ],
    [
      ['applied', null],
      [undefined, 'withdrawn'],
      ['skipped', 'withdrawn'],
    ],
    [
      ['interviewing', 'screening'],
      ['interviewing', undefined],
      ['interviewing', 'screening'],
    ],
    [
      ['interviewing', 'screening'],
      ['offer', undefined],
      ['offer', null],
    ],
    [
      ['interviewing', 'screening'],
      [undefined, null],
      ['interviewing', null],
    ],
    [
      ['interviewing', 'screening'],
      [undefined, undefined],
      ['interviewing', 'screening'],
    ],
  ])('turns %j with %j into %j', ([from, sub], [status, subStatus], [to, subTo]) => {
    expect(standing({ status: from, subStatus: sub }, status, subStatus)).toEqual({
      status: to,
      subStatus: subTo,
    })
  })

  it('refuses contradicting statuses', () => {
    expect(() => standing({ status: 'inbox', subStatus: null }, 'rejected', 'screening')).toThrow(
      'subStatus screening belongs to the status interviewing, not to rejected',
    )
  })
})
