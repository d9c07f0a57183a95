import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { ServiceError, type Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer, saidIn, type CodingServer } from '../support/coding.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'

type Session = { sessionId: string; directories: string[]; [key: string]: unknown }

async function session({ json }: CodingServer, what: string, body: Json): Promise<Session> {
  const answer = await json('POST', `/api/session${what}`, body)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body as Session
}

const WRONG: [string, Json, number, string][] = [
  ['/session', { workspaceRoot: 'relative' }, 400, 'workspaceRoot must be'],
  ['/session', { workspaceRoot: 7 }, 400, 'workspaceRoot: must be a path'],
  ['/session', { workspaceRoot: 'OUTSIDE' }, 403, 'workspaceRoot: this folder is not served'],
  ['/session', { workspaceRoot: 'ROOT/../outside' }, 403, 'workspaceRoot: this folder is not served'],
  ['/session', { metadata: 'x' }, 400, 'metadata: '],
  ['/session', { metadata: { a: 'x'.repeat(20_000) } }, 400, 'metadata: must be of at most'],
  ['/session', [], 400, ''],
  ['/session/get', {}, 400, 'sessionId is required'],
  ['/session/get', { sessionId: 'nobody' }, 404, 'There is no such conversation.'],
  ['/session/delete', { sessionId: 'conv_000000000000' }, 404, 'There is no such conversation.'],
  ['/session/update-workspace', { sessionId: 's' }, 400, 'workspaceRoot is required'],
  ['/session/update-workspace', { sessionId: 's', workspaceRoot: '/etc' }, 403, 'workspaceRoot: this folder'],
  ['/session/update-workspace', { sessionId: 's', workspaceRoot: 'ROOT/none' }, 400, 'workspaceRoot is no'],
  ['/session/add-directory', { sessionId: 's' }, 400, 'directory is required'],
  ['/session/add-directory', { sessionId: 's', directory: '/etc' }, 403, 'directory: this folder is not'],
  ['/session/add-directory', { sessionId: 's', directory: '~' }, 400, 'directory must be an absolute path'],
  ['/session/add-directory', { sessionId: 's', directory: 'ROOT/\0' }, 400, 'directory is no folder'],
  ['/sessions/list', { limit: 1.5 }, 400, 'limit: '],
  ['/sessions/list', { before: 'conv_000000000000' }, 404, 'There is no such conversation.'],
]

describe('a session', () => {
  it('is created, shown, used and deleted', async () => {
    const coding = await codingServer()
    const { model, askAndRead, json, root } = coding
    model.play([step(says('Done.'))])
    const metadata = { 名称: '修复', tags: ['a', 1, null] }
    const created = await session(coding, '', { metadata })
    const { sessionId } = created
    const first = await askAndRead({ sessionId, message: '你好' })
    expect(created).toEqual({
      sessionId: expect.stringMatching(/^conv_/) as string,
      id: sessionId,
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
      lastActivity: created['updatedAt'],
      title: null,
      workspaceRoot: root,
      directories: [],
      model: null,
      metadata,
    })
    expect(first.answer.headers.get('x-session-created')).toBeNull()
    expect(first.frames[0]?.sessionId).toBe(sessionId)
    expect(await session(coding, '/get', { sessionId })).toMatchObject({
      ...created,
      title: '你好',
      updatedAt: expect.any(String) as string,
      lastActivity: expect.any(String) as string,
      live: null,
    })
    expect(await session(coding, '/delete', { sessionId })).toEqual({ success: true, sessionId })
    for (const path of ['/api/session/get', '/api/session/delete', '/api/chat/history', '/api/chat/stream'])
      expect(await json('POST', path, { sessionId, message: 'x' })).toMatchObject({ status: 404 })
  })

  it('does not return under its client name after deletion or restart', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const first = await codingServer({ home })
    first.model.play([step(says('Mine.'))])
    await first.askAndRead({ sessionId: 'mine', message: 'hi' })
    await session(first, '/delete', { sessionId: 'mine' })
    const deleted = { status: 404, body: { error: 'This conversation was deleted.', code: 'not-found' } }

    const message = { sessionId: 'mine', message: 'hi' }
    expect(await first.json('POST', '/api/chat/stream', message)).toEqual(deleted)
    await first.server[Symbol.asyncDispose]()
    const second = await codingServer({ home })

    expect(await second.json('POST', '/api/chat/stream', message)).toEqual(deleted)
    expect((await second.json('POST', '/api/sessions/list', {})).body).toEqual({ sessions: [] })
  })

  it.each(['incremental', 'full'])('ends its answer when it is deleted, in mode %s', async (responseMode) => {
    const coding = await codingServer()
    const hold = gate()
    coding.model.play([step(says('Half', hold))])
    const read = reading(await coding.ask({ sessionId: 's', messageId: 'm', message: 'go', responseMode }))
    await read.until('Half')
    const { live } = await session(coding, '/get', { sessionId: 's' })

    await session(coding, '/delete', { sessionId: 's' })

    expect(live).toMatchObject({ messageId: 'm' })
    const finished = eventsOf(await read.whole()).map(({ data }) => data.includes('"msgStatus":"finished"'))
    expect(finished.indexOf(true)).toBe(finished.length - 1)
    expect((await coding.get('/api/chat/stream?sessionId=s')).status).toBe(404)
  })

  it('continues after a restart with its messages, folder and metadata', async () => {
    const home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
    onTestFinished(() => rm(home, { recursive: true }))
    const first = await codingServer({ home })
    first.model.play([step(says('Remembered.'))])
    const { sessionId } = await session(first, '', { metadata: { colour: 'red' } })
    await first.askAndRead({ sessionId, messageId: 'm-1', message: 'remember' })
    await first.server[Symbol.asyncDispose]()

    const second = await codingServer({ home, flags: ['--root', first.root] })
    second.model.play([step(says('I do.'))])
    const next = await second.askAndRead({ sessionId, message: 'do you?' })
    const again = await second.askAndRead({ sessionId, messageId: 'm-1', message: 'remember' })

    expect(linesOf(second.model.prompts[0])).toEqual([
      'user: remember',
      'assistant: Remembered.',
      'user: do you?',
    ])
    expect([saidIn(next.frames), saidIn(again.frames)]).toEqual(['I do.', 'Remembered.'])
    expect(await session(second, '/get', { sessionId })).toMatchObject({
      workspaceRoot: first.root,
      metadata: { colour: 'red' },
    })
  })

  it('moves to another folder and adds further folders', async () => {
    const coding = await codingServer()
    const { model, askAndRead, root } = coding
    model.play([step(says('Moved.'))])
    for (const name of ['a', 'b', '目录']) await mkdir(join(root, name))
    await symlink(join(root, 'b'), join(root, 'link'))
    const { sessionId } = await session(coding, '', { workspaceRoot: null, model: null, metadata: null })

    await session(coding, '/update-workspace', { sessionId, workspaceRoot: join(root, 'a') })
    await Promise.all(
      ['b', '目录', 'link'].map((name) =>
        session(coding, '/add-directory', { sessionId, directory: join(root, name) }),
      ),
    )
    await askAndRead({ sessionId, message: 'go' })

    const found = await session(coding, '/get', { sessionId })
    expect(found['workspaceRoot']).toBe(join(root, 'a'))
    expect(found.directories.toSorted()).toEqual([join(root, 'b'), join(root, '目录')].toSorted())
    const system = JSON.stringify(model.prompts[0]?.[0]?.content)
    for (const each of ['a', 'b', '目录']) expect(system).toContain(join(root, each))
  })

  it('rejects wrong fields by name and changes nothing', async () => {
    const { model, askAndRead, json, root, outside } = await codingServer()
    model.play([step(says('Here.'))])
    await askAndRead({ sessionId: 's', message: 'hi' })
    const sessions = async () => (await json('POST', '/api/sessions/list', {})).body
    // On PostgreSQL, titles may be late.
    await expect.poll(sessions).toMatchObject({ sessions: [{ title: 'hi' }] })
    const before = await sessions()

    for (const [path, body, status, words] of WRONG) {
      const here = JSON.stringify(body).replaceAll('ROOT', root).replaceAll('OUTSIDE', outside)
      const refused = await json('POST', `/api${path}`, JSON.parse(here) as Json)
      const error = expect.stringContaining(words) as string
      expect({ path, ...refused }, JSON.stringify(body)).toMatchObject({ path, status, body: { error } })
    }
    expect(await sessions()).toEqual(before)
  })

  it('keeps client metadata as it is and reads nothing from it', async () => {
    const coding = await codingServer()
    const metadata = JSON.parse(
      '{"__proto__":{"workspaceRoot":"/etc"},"constructor":{"prototype":{"a":1}},"workspaceRoot":"/etc","model":"x"}',
    ) as Json

    const { sessionId } = await session(coding, '', { metadata })
    const found = await session(coding, '/get', { sessionId })

    expect(found).toMatchObject({ workspaceRoot: coding.root, model: null })
    expect(found['metadata']).toEqual({
      constructor: { prototype: { a: 1 } },
      workspaceRoot: '/etc',
      model: 'x',
    })
    expect(({} as Record<string, unknown>)['a']).toBeUndefined()
  })

  it('is listed in pages', async () => {
    const coding = await codingServer()
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.unshift((await session(coding, '', { metadata: { n } })).sessionId)
    const page = async (body: Json) => (await coding.json('POST', '/api/sessions/list', body)).body

    const listed: string[] = []
    let before: unknown
    do {
      const after = before === undefined ? {} : { before: before as string }
      const { sessions, before: next } = await page({ limit: 2, ...after })
      listed.push(...(sessions as Session[]).map(({ sessionId }) => sessionId))
      before = next
    } while (before !== undefined)

    expect(listed.toSorted()).toEqual(ids.toSorted())
    expect(await page({})).toMatchObject({ sessions: { length: 5 } })
  })

  it('uses its model, which a request may replace', async () => {
    const chosen: unknown[] = []
    const { models, play } = scriptedModel()
    play(['a', 'b', 'c'].map((text) => step(says(text))))
    const coding = await codingServer({
      models: {
        choose(choice) {
          chosen.push(choice.primary)
          return models.choose(choice)
        },
        requireReachable(name) {
          if (!['fable', 'opus'].includes(name))
            throw new ServiceError('invalid-request', 'model: is not known here: use one of fable, opus.')
        },
      },
    })
    const { sessionId } = await session(coding, '', { model: 'fable' })
    const turn = async (body: { readonly [key: string]: Json }): Promise<unknown> => {
      chosen.length = 0
      await coding.askAndRead({ sessionId, message: 'hi', ...body })
      return chosen[0]
    }

    expect(await turn({})).toBe('fable')
    expect(await turn({ model: 'opus' })).toBe('opus')
    expect(await turn({ model: null })).toBe('opus')
    for (const path of ['/api/session', '/api/chat/stream'])
      expect(await coding.json('POST', path, { sessionId, message: 'hi', model: 'x/gpt-0' })).toMatchObject({
        status: 400,
        body: { error: 'model: is not known here: use one of fable, opus.' },
      })
    expect(await session(coding, '/get', { sessionId })).toMatchObject({ model: 'opus' })
  })
})
