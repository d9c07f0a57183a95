import { assert, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { editDistance, findMisspelled } from './edit-distance.ts'

describe('editDistance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['deny', 'deny', 0],
    ['denny', 'deny', 1],
    ['dny', 'deny', 1],
    ['deni', 'deny', 1],
    ['dney', 'deny', 1],
    ['kitten', 'sitting', 3],
    ['jobs_*', 'jobs_list', 0],
    ['jbs_*', 'jobs_list', 1],
    ['*_list', 'jobs_lst', 1],
    ['jobs_l??t', 'jobs_list', 0],
    ['*', '', 0],
    ['a*c', 'ac', 0],
  ])('from %s to %s is %i', (pattern, word, distance) => {
    expect(editDistance(pattern, word)).toBe(distance)
  })

  it('is zero from a word to itself, and the same both ways', () => {
    const letters = string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) =>
      text.replaceAll(/[*?]/g, ''),
    )
    assert(
      property(letters, letters, (one, other) => {
        expect(editDistance(one, one)).toBe(0)
        expect(editDistance(one, other)).toBe(editDistance(other, one))
      }),
    )
  })
})

describe('findMisspelled', () => {
  it.each([
    ['current_time', ['calculate', 'current_time'], 'current_time'],
    ['currentTime', ['current_time'], 'current_time'],
    ['CURRENT-TIME', ['current_time'], 'current_time'],
    ['curent_tiem', ['current_time'], 'current_time'],
    ['ftech_*', ['fetch_page'], 'fetch_page'],
    ['web', ['wet'], undefined],
    ['bash', ['hash_file'], undefined],
    ['email_*', ['jobs_search'], undefined],
    ['*', [], undefined],
  ])('finds for %s among %j: %s', (pattern, candidates, meant) => {
    expect(findMisspelled(pattern, candidates)).toBe(meant)
  })
})
