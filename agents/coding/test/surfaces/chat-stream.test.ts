import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { codingServer, framesOf, saidIn } from '../support/coding.ts'
import { reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer } from '../../../../test/support/server.ts'
import { coding } from '../../src/index.ts'

const WRONG: [{ readonly [key: string]: Json }, string][] = [
  [{}, 'message is required'],
  [{ message: '' }, 'message: '],
  [{ message: 'hi', workspaceRoot: 'relative' }, 'workspaceRoot must be an absolute path'],
  [{ message: 'hi', model: 7 }, 'model: '],
]

describe('the chat stream', () => {
  it('begins a session under the client’s name and continues it', async () => {
    const { model, askAndRead } = await codingServer()
    model.play([step(says('你', '好。')), step(says('Again.'))])

    const first = await askAndRead({ sessionId: '会话-1', message: '你好' })
    const second = await askAndRead({ sessionId: '会话-1', message: 'And now?' })

    expect(first.answer.headers.get('content-type')).toBe('text/event-stream')
    expect(first.answer.headers.get('x-session-created')).toBe('true')
    expect(second.answer.headers.get('x-session-created')).toBeNull()
    expect(first.frames.every(({ sessionId }) => sessionId === '会话-1')).toBe(true)
    expect(first.frames.map(({ msgStatus }) => msgStatus).lastIndexOf('generating')).toBe(
      first.frames.length - 2,
    )
    expect(first.frames.at(-1)?.msgStatus).toBe('finished')
    expect([saidIn(first.frames), saidIn(second.frames)]).toEqual(['你好。', 'Again.'])
    expect(linesOf(model.prompts[1])).toEqual(['user: 你好', 'assistant: 你好。', 'user: And now?'])
  })

  it('begins a session without a name and continues it by its id', async () => {
    const { model, askAndRead } = await codingServer()
    model.play([step(says('One.')), step(says('Two.'))])

    const first = await askAndRead({ message: 'hi' })
    const sessionId = String(first.frames[0]?.sessionId)
    const second = await askAndRead({ sessionId, message: 'more' })

    expect(sessionId).toBe(first.answer.headers.get('x-conversation-id'))
    expect(first.frames[0]?.messageId).toBe(first.answer.headers.get('x-request-id'))
    expect(second.answer.headers.get('x-session-created')).toBeNull()
    expect(second.frames[0]?.sessionId).toBe(sessionId)
    expect(linesOf(model.prompts[1])).toHaveLength(3)
  })

  it('rejects wrong fields by name and writes nothing', async () => {
    const { json } = await codingServer()

    for (const [body, words] of WRONG) {
      expect({ asked: body, ...(await json('POST', '/api/chat/stream', body)) }).toMatchObject({
        asked: body,
        status: 400,
        body: { code: 'invalid-request', error: expect.stringContaining(words) as string },
      })
    }
    expect((await json('POST', '/api/sessions/list', {})).body).toEqual({ sessions: [] })
  })

  it('works in the requested folder and remembers it', async () => {
    const { model, askAndRead, json, root, outside } = await codingServer()
    model.play(['a', 'b', 'c', 'd'].map((text) => step(says(text))))
    await mkdir(join(root, 'a'))
    await mkdir(join(root, 'b'))
    const folderOf = (prompt: number): string =>
      /Working directory: (.*)/.exec(
        JSON.stringify(model.prompts[prompt]?.[0]?.content).replaceAll('\\n', '\n'),
      )?.[1] ?? ''

    await askAndRead({ sessionId: 's', message: '1', workspaceRoot: join(root, 'a') })
    await askAndRead({ sessionId: 's', message: '2' })
    await askAndRead({ sessionId: 's', message: '3', workspaceRoot: join(root, 'b') })
    const refused = await json('POST', '/api/chat/stream', {
      sessionId: 's',
      message: 'x',
      workspaceRoot: outside,
    })
    await askAndRead({ sessionId: 's', message: '4' })

    expect([0, 1, 2, 3].map(folderOf)).toEqual(['a', 'a', 'b', 'b'].map((name) => join(root, name)))
    expect(refused).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    expect(refused.body['error']).toContain('workspaceRoot')
    expect((await json('POST', '/api/session/get', { sessionId: 's' })).body).toMatchObject({
      workspaceRoot: join(root, 'b'),
    })
  })

  it('allows one answer at a time and changes nothing for a refused message', async () => {
    const { model, ask, askAndRead, json, root } = await codingServer()
    const hold = gate()
    model.play([step(says('Half', hold, ' done.')), step(says('Next.')), step(says('Other.'))])
    const first = await ask({ sessionId: 's', message: 'go' })
    const read = reading(first)
    await read.until('Half')
    await mkdir(join(root, 'b'))

    const busy = await json('POST', '/api/chat/stream', {
      sessionId: 's',
      message: 'more',
      workspaceRoot: join(root, 'b'),
    })
    const other = await askAndRead({ sessionId: 'other', message: 'go' })
    hold.open()
    await read.whole()

    expect(busy).toMatchObject({
      status: 409,
      body: { code: 'thread-busy', runId: first.headers.get('x-run-id') },
    })
    expect(saidIn(other.frames)).toBe('Next.')
    expect((await json('POST', '/api/session/get', { sessionId: 's' })).body).toMatchObject({
      workspaceRoot: root,
    })
    expect(saidIn((await askAndRead({ sessionId: 's', message: 'more' })).frames)).toBe('Other.')
  })

  it('accepts one of many first messages and refuses the others', async () => {
    const { model, ask } = await codingServer()
    const hold = gate()
    model.play([step(says('One.', hold))])

    const answers = await Promise.all(
      Array.from({ length: 8 }, (_none, index) => ask({ sessionId: 's', message: `go ${index}` })),
    )
    hold.open()

    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(7)
    await Promise.all(answers.map((answer) => answer.text()))
    expect(model.prompts).toHaveLength(1)
  })

  it('runs a message once, and repeats its answer in either mode', async () => {
    const { model, ask, json } = await codingServer()
    const hold = gate()
    model.play([step(says('Half', hold, ' done.'))])
    const message = { sessionId: 's', messageId: 'm-1', message: 'go' }
    const first = await ask(message)
    await hold.reached

    const again = await ask(message)
    const full = await ask({ ...message, responseMode: 'full' })
    const otherWords = await json('POST', '/api/chat/stream', { ...message, message: 'stop' })
    hold.open()
    const frames = await Promise.all([first, again, full].map(framesOf))
    const late = await ask({ ...message, responseMode: 'full' })

    expect(otherWords).toMatchObject({ status: 422, body: { code: 'key-reused' } })
    expect(otherWords.body['error']).toContain('messageId')
    expect(new Set([first, again, full, late].map(({ headers }) => headers.get('x-run-id'))).size).toBe(1)
    expect(frames[1]).toEqual(frames[0])
    expect(frames[0]?.[0]?.messageId).toBe('m-1')
    expect(saidIn(frames[0] ?? [])).toBe('Half done.')
    expect((await framesOf(late)).at(-1)?.messages[0]?.value).toBe('Half done.')
    expect(model.prompts).toHaveLength(1)
  })

  it('recognizes a repeated message although its file changed', async () => {
    const { model, askAndRead, root } = await codingServer()
    const write = { path: '笔记.txt', content: 'after' }
    model.play([
      step(calls('c1', 'read_file', { path: write.path })),
      step(calls('c2', 'write_file', write)),
      step(says('Changed.')),
    ])
    await writeFile(join(root, '笔记.txt'), 'before')
    const message = { sessionId: 's', messageId: 'm', message: 'change @笔记.txt' }

    const first = await askAndRead(message)
    const again = await askAndRead(message)

    expect(JSON.stringify(model.prompts[0])).toContain('before')
    expect(await readFile(join(root, '笔记.txt'), 'utf8')).toBe('after')
    expect(again.frames).toEqual(first.frames)
    expect(saidIn(again.frames)).toBe('Changed.')
  })

  it('accepts the same messageId in another session', async () => {
    const { model, askAndRead } = await codingServer()
    model.play([step(says('A.')), step(says('B.'))])

    const a = await askAndRead({ sessionId: 'a', messageId: '1', message: 'go' })
    const b = await askAndRead({ sessionId: 'b', messageId: '1', message: 'other' })

    expect([saidIn(a.frames), saidIn(b.frames)]).toEqual(['A.', 'B.'])
  })

  it('continues when its reader leaves', async () => {
    const { model, ask, json } = await codingServer()
    const hold = gate()
    model.play([step(says('Half', hold, ' done.'))])
    const read = reading(await ask({ sessionId: 's', message: 'go' }))
    await read.until('Half')
    await read.leave()
    hold.open()

    const history = async () =>
      JSON.stringify((await json('POST', '/api/chat/history', { sessionId: 's' })).body)
    await expect.poll(history, { interval: 20, timeout: 5000 }).toContain('Half done.')
  })

  it('is off without a root and says how to change that', async () => {
    await using server = await openServer({ models: scriptedModel().models, agents: [coding] })
    const { json } = client(server)
    const off = { status: 503, body: { error: expect.stringContaining('--root') as string } }

    expect(await json('POST', '/api/chat/stream', { sessionId: 's', message: 'hi' })).toMatchObject(off)
    expect(await json('POST', '/api/session', {})).toMatchObject(off)
    expect(await json('POST', '/api/sessions/list', {})).toEqual({ status: 200, body: { sessions: [] } })
  })

  it('accepts a message of 200 KB, and refuses a longer one before it is read', async () => {
    const { model, askAndRead, post } = await codingServer()
    model.play([step(says('Long.'))])

    expect(saidIn((await askAndRead({ message: '长'.repeat(66_000) })).frames)).toBe('Long.')
    for (const message of ['长'.repeat(67_000), 'x'.repeat(10 * 1024 * 1024)])
      expect((await post('/api/chat/stream', { message })).status).toBe(413)
  })
})
