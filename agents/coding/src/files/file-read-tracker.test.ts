import { expect, it } from 'vitest'

import { createFileReadTracker } from './file-read-tracker.ts'

it('remembers the last stamps of each run, up to a limit', () => {
  const files = createFileReadTracker(2)
  files.record('run_1', '/a', 'first')
  files.record('run_2', '/a', 'second')
  files.record('run_1', '/a', 'third')

  expect(files.stampFor('run_1', '/a')).toBe('third')
  expect(files.stampFor('run_2', '/a')).toBe('second')

  files.record('run_1', '/b', 'fourth')

  expect(files.stampFor('run_2', '/a')).toBeUndefined()
  expect(files.stampFor('run_1', '/a')).toBe('third')
})
