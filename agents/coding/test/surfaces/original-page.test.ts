import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, linesOf, refuses, says, step } from '../../../../test/support/scripted-model.ts'
import { codingServer, type CodingServer } from '../support/coding.ts'

let count = 0
/** A request as the page of the original server sends it. */
function request(message: string, more: Record<string, Json> = {}): Record<string, Json> {
  count += 1
  return {
    message,
    messageId: `msg_1795897850${String(count).padStart(3, '0')}_k3j9x0abc`,
    responseMode: 'full',
    ...more,
  }
}

async function framesFrom(served: CodingServer, body: Record<string, Json>) {
  return framesOf(await reading(await served.ask(body)).whole())
}

describe('the page of the original server', () => {
  it('learns its session from the first frame, and has a memory by it', async () => {
    const served = await codingServer()
    served.model.play([step(says('Hello Ada.')), step(says('You are Ada.'))])

    const [first] = await framesFrom(served, request('I am Ada.'))
    expect(first).toMatchObject({ type: 'connected', sessionId: expect.stringMatching(/^conv_/) as string })
    await framesFrom(served, request('Who am I?', { sessionId: first?.['sessionId'] as string }))

    expect(linesOf(served.model.prompts[1])).toContain('assistant: Hello Ada.')
  })

  it('reads the files that a message refers to as an object', async () => {
    const served = await codingServer()
    await writeFile(join(served.root, 'a.txt'), 'twelve bytes')
    served.model.play([step(says('Read.'))])

    const frames = await framesFrom(served, request('what is in @a.txt'))

    expect(frames[1]).toMatchObject({ type: 'file_references', files: [{ path: 'a.txt', size: 12 }] })
    const messages = frames.flatMap((frame) => (frame['messages'] ?? []) as Record<string, Json>[])
    expect(messages.find(({ type }) => type === 'file_references')).toMatchObject({
      value: { files: [{ path: 'a.txt', size: 12 }] },
    })
  })

  it('gets the reason of a failure in the field that it reads', async () => {
    const served = await codingServer()
    served.model.play([refuses(new Error('It broke.'))])

    const frames = await framesFrom(served, request('go'))

    expect(frames.find(({ type }) => type === 'error')).toMatchObject({
      error: expect.stringContaining('did not answer') as string,
    })
  })

  it('stops an answer, tools included, by disconnecting, and may ask again at once', async () => {
    const served = await codingServer()
    const hold = gate()
    served.model.play([step(says('Half', hold, ' done.')), step(says('Again.'))])
    const sessionId = 'of-the-page'
    const abort = new AbortController()
    const url = `${served.server.url}/api/chat/stream`
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify(request('go', { sessionId }))
    const answer = await fetch(url, { ...init, body, signal: abort.signal })
    const runId = answer.headers.get('x-run-id') ?? ''
    await reading(answer).until('Half')

    abort.abort()
    const frames = await framesFrom(served, request('again', { sessionId }))

    expect(JSON.stringify(frames.at(-2))).toContain('Again.')
    const { body: found } = await served.json('GET', `/v1/runs/${runId}`)
    expect(found).toMatchObject({ run: { status: 'cancelled' } })
  })

  it('is told in words of a question, of what it does not know, and of the answer', async () => {
    const served = await codingServer({ env: { PATH: '/nowhere' } })
    served.model.play([step(calls('c1', 'execute_command', { command: 'echo 1' })), step(says('Ran.'))])
    const stream = reading(await served.ask(request('go')))
    await stream.until('dragoman questions')
    const { body } = await served.json('GET', '/v1/questions')
    const [{ callId, runId } = {}] = (body as { questions: Record<string, string>[] }).questions
    await served.post(`/v1/runs/${runId}/answers`, {
      callId: callId ?? '',
      answer: { kind: 'approval', approved: true },
    })

    const frames = framesOf(await stream.whole())

    const types = new Set(
      frames.flatMap((frame) => (frame['messages'] ?? []) as { type: string }[]).map(({ type }) => type),
    )
    expect([...types].toSorted()).toEqual([
      'content',
      'tool_call_request',
      'tool_execution_complete',
      'tool_execution_start',
      'warning',
    ])
    expect(JSON.stringify(frames.at(-2))).toContain('approved')
  })

  it('may name a model by its id alone: one that is not known is left out, with a note', async () => {
    const served = await codingServer()
    served.model.play([step(says('Hello.'))])

    for (const model of ['mock', 'qwen3-coder-plus-2025-09-23']) {
      served.model.play([step(says('Hello.'))])
      const frames = await framesFrom(served, request('hi', { model }))
      expect(JSON.stringify(frames.at(-2))).toContain('Hello.')
    }
  })
})

describe('any other client', () => {
  it('gets envelopes alone', async () => {
    const served = await codingServer()
    served.model.play([step(says('Hello.'))])

    for (const frame of await framesFrom(served, request('hi', { messageId: 'm-1' })))
      expect(frame).toHaveProperty('messages')
  })

  it('lists and adds directories, and has one slash command', async () => {
    const served = await codingServer({ otherRoots: ['outside'] })
    const { json, root, outside } = served
    const { body } = await json('POST', '/api/session', { workspaceRoot: root })
    const { sessionId } = body as { sessionId: string }

    expect(
      await json('POST', '/api/session/add-directory', { sessionId, directories: [outside] }),
    ).toMatchObject({
      status: 200,
      body: { success: true, added: [outside], errors: [] },
    })
    expect(await json('POST', '/api/session/list-directories', { sessionId })).toEqual({
      status: 200,
      body: { directories: [root, outside] },
    })
    expect(
      await json('POST', '/api/session/add-directory', { sessionId, directories: ['/usr'] }),
    ).toMatchObject({
      status: 403,
    })
    expect(await json('POST', '/api/commands/list', { sessionId })).toEqual({
      status: 200,
      body: { success: true, commands: [expect.objectContaining({ name: 'help' })], total: 1 },
    })
    const execute = (command: string) => json('POST', '/api/commands/execute', { sessionId, command })
    expect(await execute('/help')).toMatchObject({ status: 200, body: { success: true, command: 'help' } })
    expect(await execute('/init')).toMatchObject({ status: 404, body: { error: 'Command not found: /init' } })
  })

  it('reads lines of a file, and so many results', async () => {
    const { json, root } = await codingServer()
    await writeFile(join(root, 'a.txt'), 'a1\na2\na3\n')

    const read = { path: 'a.txt', offset: 1, limit: 1 }
    expect(await json('POST', '/api/files/read', read)).toMatchObject({
      body: { content: 'a2\n', totalLines: 3, truncated: true },
    })
    expect(await json('POST', '/api/files/read', { path: 'a.txt', offset: 9 })).toMatchObject({
      body: { content: '', totalLines: 3, truncated: false },
    })
    expect(await json('POST', '/api/files/read', { path: 'a.txt', limit: 0 })).toMatchObject({
      body: { content: 'a1\n' },
    })
    expect(await json('POST', '/api/files/search', { pattern: 'a', maxResults: 2 })).toMatchObject({
      body: { matches: [{ line: 1 }, { line: 2 }], truncated: true },
    })
    expect(await json('POST', '/api/files/search', { pattern: 'a', maxResults: 0 })).toMatchObject({
      body: { matches: [{ line: 1 }], truncated: true },
    })
  })
})
