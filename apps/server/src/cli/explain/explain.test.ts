import { hostname } from 'node:os'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { createDatabaseFile } from 'dragoman/database'
import { openSqlite } from 'dragoman/stores/sqlite'
import { createTempDir } from '../../../../../test/support/create-temp-dir.ts'
import { auditCommand } from './audit.ts'
import { explainCommand } from './explain.ts'

let home = ''
let output = { stdout: '', stderr: '' }
beforeEach(async () => {
  home = await createTempDir()
  for (const name of ['stdout', 'stderr'] as const)
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      output[name] += String(text)
      return true
    })
})
afterEach(() => void vi.restoreAllMocks())

async function say(command: typeof explainCommand, ...args: readonly string[]): Promise<string> {
  output = { stdout: '', stderr: '' }
  await command().parseAsync([...args, '--home', home], { from: 'user' })
  return output.stdout
}

it('explains a run while another process has the store, lists runs of a user, and names who looked', async () => {
  const { store } = openSqlite(await createDatabaseFile(home))
  await store.create(
    {
      id: 'run_1',
      threadId: 'conv_1',
      userId: 'ada',
      agent: 'dice',
      messageId: 'msg_1',
      request: { messageId: 'msg_0', input: [{ type: 'text', text: 'Secret.' }], context: {}, tools: [] },
      reply: { protocol: 'native', view: {} },
      onCrash: 'continue',
    },
    'reject',
    'a/1/x/1',
  )

  const text = await say(explainCommand, 'run_1')
  const json = JSON.parse(await say(explainCommand, 'run_1', '--json')) as { user: string; nodes: string[] }
  const list = await say(explainCommand, '--user', 'ada')

  expect(text).toMatch(/^Run run_1 of the agent dice: running\.\nThread conv_1, user [0-9a-f]{16}\. /)
  expect(text).toMatch(/\n\n\S+Z {2}The run was asked for\. Node a\/1 began it\.\n/)
  expect(text).toMatch(/\n\S+Z {2}The run goes on\. Node a\/1 wrote its last entry\.\n$/)
  expect(json).toMatchObject({ nodes: ['a/1'], log: 'kept', status: 'running' })
  expect(list).toContain(`The user is ${json.user} in logs and traces.\n`)
  expect(list).toMatch(/\n\S+Z +run_1 +running +dice +conv_1\n$/)
  await expect(say(explainCommand, 'run_9')).rejects.toMatchObject({ code: 'not-found' })
  await expect(say(explainCommand)).rejects.toMatchObject({ code: 'invalid-request' })

  const entries = JSON.parse(await say(auditCommand, '--json')) as Record<string, string>[]
  expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
    ['explain', 'run_9'],
    ['explain --user', json.user],
    ['explain', 'run_1'],
    ['explain', 'run_1'],
  ])
  for (const { at, actor } of entries) {
    expect(Date.parse(String(at))).toBeGreaterThan(0)
    expect(actor).toContain(`@${hostname()}`)
  }
  await store[Symbol.asyncDispose]()
})
