import { expect, it } from 'vitest'

import { readStamps } from './read-stamps.ts'

it('remembers what each run last saw, of so many files those that were seen last', () => {
  const files = readStamps(2)
  files.saw('run_1', '/a', 'first')
  files.saw('run_2', '/a', 'second')
  files.saw('run_1', '/a', 'third')

  expect(files.stampFor('run_1', '/a')).toBe('third')
  expect(files.stampFor('run_2', '/a')).toBe('second')

  files.saw('run_1', '/b', 'fourth')

  expect(files.stampFor('run_2', '/a')).toBeUndefined()
  expect(files.stampFor('run_1', '/a')).toBe('third')
})
