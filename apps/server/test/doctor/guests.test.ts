import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it, onTestFinished } from 'vitest'

import { examine } from '../support/examine.ts'

it.each([
  [['--guests', '--require-token', '--keep-guests', '0'], 1],
  [['--guests', '--require-token'], 0],
  [['--guests', '--keep-guests', '0'], 0],
])('the doctor says whether what guests leave is kept for ever: %j', async (flags, times) => {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))

  const { about } = await examine(['--home', home, '--port', '0', ...flags], {})

  expect(about('Guests')).toEqual(
    Array.from({ length: times }, () =>
      expect.stringMatching(/^! Guests: .*kept for ever.*--keep-guests DAYS/),
    ),
  )
})
