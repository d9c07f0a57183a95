import { mkdir, writeFile } from 'node:fs/promises'
import { chatRequest } from '../../../../test/support/http.ts'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'

/** A session in the folder a, with b next to it. The model reads both. */
async function session(coding: CodingServer): Promise<string> {
  const { json, root } = coding
  for (const name of ['a', 'b']) {
    await mkdir(join(root, name))
    await writeFile(join(root, name, 'name.txt'), `This is ${name}.`)
  }
  const { body } = await json('POST', '/api/session', { workspaceRoot: join(root, 'a'), model: 'fable' })
  const sessionId = String(body['sessionId'])
  await json('POST', '/api/session/add-directory', { sessionId, directory: join(root, 'b') })
  return sessionId
}

const ELSEWHERE: readonly [string, (sessionId: string) => [string, Json]][] = [
  ['/v1', (id) => [`/v1/threads/${id}/runs`, { message: 'look', stream: false }]],
  ['/coding/chat', (id) => ['/coding/chat', chatRequest('look', { conversationId: id, stream: false })]],
]

describe('a session on another surface', () => {
  it.each(ELSEWHERE)('keeps its folders and its model with %s', async (_name, request) => {
    const { models, play, prompts } = scriptedModel()
    const chosen: unknown[] = []
    const coding = await codingServer({
      models: {
        choose(choice) {
          chosen.push(choice.primary)
          return models.choose(choice)
        },
      },
    })
    const sessionId = await session(coding)
    play([
      step(calls('c1', 'read_file', { path: 'name.txt' })),
      step(calls('c2', 'read_file', { path: join(coding.root, 'b', 'name.txt') })),
      step(says('Seen.')),
    ])
    chosen.length = 0

    const answer = await coding.json('POST', ...request(sessionId))

    expect(answer.status).toBe(200)
    expect(chosen[0]).toBe('fable')
    expect(JSON.stringify(prompts.at(-1))).toContain('This is a.')
    expect(JSON.stringify(prompts.at(-1))).toContain('This is b.')
    expect(JSON.stringify(prompts[0])).toContain(`Working directory: ${join(coding.root, 'a')}\\n`)
  })

  it('yields to fields of the request, which are not stored', async () => {
    const coding = await codingServer()
    const { model, json, root } = coding
    const sessionId = await session(coding)
    model.play([step(says('One.'))])

    const context = { workspaceRoot: join(root, 'b') }
    await json('POST', `/v1/threads/${sessionId}/runs`, { message: 'look', context, stream: false })

    expect(JSON.stringify(model.prompts[0])).toContain(`Working directory: ${join(root, 'b')}\\n`)
    expect((await json('POST', '/api/session/get', { sessionId })).body).toMatchObject({
      workspaceRoot: join(root, 'a'),
    })
  })
})

describe('the files of a session', () => {
  it('are those of its folders', async () => {
    const coding = await codingServer()
    const { json, root } = coding
    const sessionId = await session(coding)
    const read = (body: { readonly [key: string]: Json }) =>
      json('POST', '/api/files/read', { sessionId, path: 'name.txt', ...body })

    expect((await read({})).body).toMatchObject({ path: 'name.txt', content: 'This is a.' })
    expect((await read({ path: join(root, 'b', 'name.txt') })).body).toMatchObject({ content: 'This is b.' })
    expect((await read({ workspaceRoot: join(root, 'b') })).body).toMatchObject({ content: 'This is b.' })
    expect((await json('POST', '/api/files/list', { sessionId })).body).toMatchObject({
      entries: [{ name: 'name.txt' }],
    })
    await json('POST', '/api/files/write', { sessionId, path: 'new.txt', content: '新' })
    expect((await json('POST', '/api/files/search', { pattern: '新', path: 'a' })).body).toMatchObject({
      matches: [{ path: 'a/new.txt' }],
    })
    await json('POST', '/api/session/update-workspace', { sessionId, workspaceRoot: join(root, 'b') })
    expect((await read({})).body).toMatchObject({ content: 'This is b.' })
  })

  it('use the default folder for a new session, and are gone with a deleted one', async () => {
    const coding = await codingServer()
    const { json, askAndRead, model } = coding
    const missing = await session(coding)
    model.play([step(says('Hi.'))])
    await askAndRead({ sessionId: 'mine', message: 'hi' })
    for (const sessionId of [missing, 'mine']) await json('POST', '/api/session/delete', { sessionId })
    const list = (sessionId: string) => json('POST', '/api/files/list', { sessionId })

    expect(await list('new')).toMatchObject({
      status: 200,
      body: { entries: [{ name: 'a' }, { name: 'b' }] },
    })
    for (const sessionId of [missing, 'mine', 'conv_000000000000'])
      expect(await list(sessionId)).toMatchObject({ status: 404, body: { code: 'not-found' } })
  })
})

describe('a repeated request', () => {
  it.each([
    ['its file has changed', 'x @name.txt'],
    ['its session has moved', 'x'],
  ])('returns the same answer although %s since', async (what, content) => {
    const coding = await codingServer()
    const { json, model, post, root } = coding
    const sessionId = await session(coding)
    model.play([step(says('Once.'))])
    const ask = (context: Json = {}) => {
      const request = chatRequest(content, { conversationId: sessionId, stream: false })
      return post('/coding/chat', { ...(request as object), context }, { 'idempotency-key': 'k' })
    }
    const first = await ask()
    if (what.includes('file')) await writeFile(join(root, 'a', 'name.txt'), 'Another.')
    else await json('POST', '/api/session/update-workspace', { sessionId, workspaceRoot: join(root, 'b') })

    const again = await ask()

    expect(again.headers.get('x-run-id')).toBe(first.headers.get('x-run-id'))
    expect(await again.text()).toBe(await first.text())
    expect((await ask({ workspaceRoot: join(root, 'b') })).status).toBe(422)
  })
})
