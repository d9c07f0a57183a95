import { describe, expect, it } from 'vitest'

import { run } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { envelope, requestIdOf } from './index.ts'

describe('the envelope parser', () => {
  it('reads all fields and ignores unknown ones', () => {
    expect(
      envelope.parse({
        sessionId: '会话',
        messageId: 'm-1',
        message: '列出文件',
        workspaceRoot: '/w',
        model: 'sonnet',
        responseMode: 'full',
        legacyEvents: true,
        temperature: 1,
      }),
    ).toEqual({
      thread: '会话',
      turns: [],
      message: { clientId: 'm-1', parts: [{ type: 'text', text: '列出文件' }] },
      context: { workspaceRoot: '/w' },
      stream: true,
      view: {
        responseMode: 'full',
        legacyEvents: true,
        showThinking: false,
        sessionId: '会话',
        messageId: 'm-1',
      },
    })
  })

  it('defaults to increments', () => {
    expect(envelope.parse({ message: 'hi', sessionId: '', messageId: '', responseMode: null })).toEqual({
      turns: [],
      message: { parts: [{ type: 'text', text: 'hi' }] },
      context: {},
      stream: true,
      view: { responseMode: 'incremental', legacyEvents: false, showThinking: false },
    })
  })

  it.each([
    [{}, 'message is required'],
    [{ message: '' }, 'message: the message is empty'],
    [{ message: ' \n' }, 'message: the message is empty'],
    [{ message: ['x'] }, 'message'],
    [{ message: 'x', responseMode: 'all' }, 'responseMode: must be "incremental" or "full"'],
    [{ message: 'x', sessionId: 'x'.repeat(201) }, 'sessionId: may have at most 200 characters'],
    [{ message: 'x', messageId: 1 }, 'messageId'],
    [{ message: 'x', legacyEvents: 'yes' }, 'legacyEvents'],
  ])('rejects %j and names the field', (body, words) => {
    expect(() => envelope.parse(body)).toThrow(words)
  })
})

describe('envelopeView', () => {
  const ofRun = { responseMode: 'full', legacyEvents: true, sessionId: 's', messageId: 'm' }

  it('takes the view of the run, changed by the query', () => {
    expect(envelope.view(ofRun, {})).toEqual({ ...ofRun, showThinking: false })
    expect(
      envelope.view(ofRun, {
        responseMode: 'incremental',
        legacyEvents: '0',
        showThinking: '1',
        sessionId: 'x',
      }),
    ).toEqual({ ...ofRun, responseMode: 'incremental', legacyEvents: false, showThinking: true })
    expect(() => envelope.view({}, { responseMode: 'all' })).toThrow(
      'responseMode: must be one of incremental, full',
    )
  })

  it('sets a pace, and needs all earlier entries, only in full mode', () => {
    expect([envelope.pace?.(ofRun), envelope.remembersAll?.(ofRun)]).toEqual([40, true])
    expect([envelope.pace?.({}), envelope.remembersAll?.({})]).toEqual([0, false])
  })

  it('uses the names of the client if there are any', () => {
    const first = (view: object, of = run): object =>
      JSON.parse(
        envelope.encoder({ run: of, view: envelope.view({ ...view }, {}) })({
          seq: 1,
          at: 1,
          event: { type: 'run.started', agent: 'coding', messageId: 'msg_user', input: [] },
        })[0] ?? '{}',
      ) as object
    const named = { ...run, request: { ...run.request, clientId: 'mine' } }

    expect(requestIdOf(run)).toBe('req_1700000000000_run_story')
    expect(first({})).toMatchObject({ sessionId: 'conv_story', messageId: requestIdOf(run) })
    expect(first({}, named)).toMatchObject({ messageId: 'mine' })
    expect(first(ofRun, named)).toMatchObject({ sessionId: 's', messageId: 'm' })
  })
})
