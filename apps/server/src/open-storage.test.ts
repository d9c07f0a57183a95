import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { databaseSource, openStorage } from './open-storage.ts'

it('reads the file of the URL again, and keeps the last URL while there is none', async () => {
  const file = join(await createTempDir(), 'url')
  await writeFile(file, 'postgres://ada:first@db/x\n')
  const source = databaseSource({ DATABASE_URL_FILE: file })
  if (typeof source !== 'function') throw new Error('A file gives a function.')

  expect(source()).toBe('postgres://ada:first@db/x')
  await writeFile(file, 'postgres://ada:second@db/x')
  expect(source()).toBe('postgres://ada:second@db/x')
  await rm(file)
  expect(source()).toBe('postgres://ada:second@db/x')
})

it.each([
  ['both settings', { DATABASE_URL: 'postgres://db/x', DATABASE_URL_FILE: '/url' }, 'not both'],
  ['a file that is missing', { DATABASE_URL_FILE: '/missing' }, 'cannot be read'],
  ['another database', { DATABASE_URL: 'mysql://db/x' }, 'must begin with postgres://'],
])('refuses %s', (_, env, message) => {
  expect(() => databaseSource(env)).toThrow(message)
})

it.each(['p@ss/word', 'p#ss', 'p?ss', '50%'])(
  'says how the password %s is written in a URL',
  async (password) => {
    const opening = openStorage({ env: { DATABASE_URL: `postgres://ada:${password}@127.0.0.1:1/x` } })

    await expect(opening).rejects.toThrow('write % as %25, @ as %40')
  },
)
