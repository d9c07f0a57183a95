import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'

/** A server with two roots, and a thread whose messages read name.txt. */
async function twoRoots() {
  const coding = await codingServer({ otherRoots: ['outside'] })
  await writeFile(join(coding.root, 'name.txt'), 'This is root.')
  await writeFile(join(coding.outside, 'name.txt'), 'This is outside.')
  const { body } = await coding.json('POST', '/v1/threads', { agent: 'coding' })
  return { coding, threadId: String(body['id']) }
}

async function read({ json, model }: CodingServer, threadId: string, context?: Json): Promise<string> {
  model.play([step(calls('c', 'read_file', { path: 'name.txt' })), step(says('Seen.'))])
  const message = { message: 'look', stream: false, ...(context !== undefined && { context }) }
  const { status, body } = await json('POST', `/v1/threads/${threadId}/runs`, message)
  return `${status} ${JSON.stringify(body)}`
}

describe('a thread that names its folder once', () => {
  it('stays in it', async () => {
    const { coding, threadId } = await twoRoots()

    expect(await read(coding, threadId)).toMatch(/^400 .*workspaceRoot is required/)
    for (const context of [{ workspaceRoot: coding.outside }, undefined, {}])
      expect(await read(coding, threadId, context)).toContain('This is outside.')
  })

  it('moves once it names another one', async () => {
    const { coding, threadId } = await twoRoots()
    await read(coding, threadId, { workspaceRoot: coding.outside })

    await read(coding, threadId, { workspaceRoot: coding.root })

    expect(await read(coding, threadId)).toContain('This is root.')
  })

  it('keeps it in a fork', async () => {
    const { coding, threadId } = await twoRoots()
    await read(coding, threadId, { workspaceRoot: coding.outside })

    const { body: fork } = await coding.json('POST', `/v1/threads/${threadId}/fork`, {})

    expect(await read(coding, String(fork['id']))).toContain('This is outside.')
  })

  it('lists the files of that folder by its id', async () => {
    const { coding, threadId } = await twoRoots()
    await read(coding, threadId, { workspaceRoot: coding.outside })

    const file = { sessionId: threadId, path: 'name.txt' }

    expect((await coding.json('POST', '/api/files/read', file)).body).toMatchObject({
      content: 'This is outside.',
    })
  })
})
