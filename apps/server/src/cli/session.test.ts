import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { createTempDir } from '../../../../test/support/create-temp-dir.ts'
import { sessionCommand } from './session.ts'
import { withUserTables } from './with-user-tables.ts'
import { createSessions, createTokens } from 'dragoman/users'

let home = ''
const output: string[] = []
beforeEach(async () => {
  home = await createTempDir()
  output.length = 0
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => output.push(String(text)) > 0)
})
afterEach(() => {
  vi.restoreAllMocks()
})
const run = async (...args: readonly string[]): Promise<string> => {
  output.length = 0
  await sessionCommand().parseAsync([...args, '--home', home], { from: 'user' })
  return output.join('')
}

it('lists the browsers of all users or of one, and signs them out', async () => {
  expect(await run('list')).toBe('No browser is signed in.\n')
  const ids: string[] = []
  await withUserTables({ home }, async (db) => {
    for (const user of ['ada', 'bob']) {
      const { token } = await createTokens(db).create({ name: `${user}-phone`, userId: user })
      ids.push((await createSessions(db).create({ tokenId: token.id, browser: 'Firefox/150' })).id)
    }
  })

  expect(await run('list')).toMatch(/^ID +USER +TOKEN +LAST USED +BROWSER\nses_.*\nses_.*\n$/)
  expect(await run('list', '--user', 'bob')).toMatch(/\nses_\S+ +bob +bob-phone +\S+Z +Firefox\/150\n$/)
  const [listed] = JSON.parse(await run('list', '--user', 'ada', '--json')) as { id: string }[]
  expect(ids).toContain(listed?.id)

  expect(await run('revoke', String(listed?.id))).toBe(
    `The session ${listed?.id} of the user ada has ended.\n`,
  )

  expect(await run('list', '--user', 'ada')).toBe('No browser is signed in.\n')
  await expect(run('revoke', String(listed?.id))).rejects.toMatchObject({ code: 'not-found' })
})
