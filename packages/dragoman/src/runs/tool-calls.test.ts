import { describe, expect, it } from 'vitest'

import { ServiceError, toFailure } from '../errors.ts'
import { createToolCalls, type ToolCalls } from './tool-calls.ts'

const yes = { kind: 'approval', approved: true } as const

function ask(calls: ToolCalls, callId: string): void {
  calls.note({ type: 'tool.called', callId, tool: 'pay', input: {} })
  calls.note({ type: 'tool.asked', callId, question: { kind: 'approval' } })
}

describe('tool calls', () => {
  it('are idle while the only open calls wait for a reply', async () => {
    const calls = createToolCalls()
    const work = Promise.withResolvers<void>()
    ask(calls, 'a')
    const reply = calls.atWork(() => calls.replyTo('a'))
    const worked = calls.atWork(() => work.promise)

    work.resolve()
    await calls.idle()
    expect([calls.areOpen, calls.asked]).toEqual([true, ['a']])

    calls.reply('a', yes)
    expect(await reply).toEqual(yes)
    await worked
    expect(calls.areOpen).toBe(false)
  })

  it('keep a reply that comes before its call waits for it, and give it once', async () => {
    const control = new AbortController()
    const calls = createToolCalls(control.signal)
    ask(calls, 'a')
    calls.reply('a', yes)

    expect(await calls.atWork(() => calls.replyTo('a'))).toEqual(yes)
    const second = calls.atWork(() => calls.replyTo('a'))
    control.abort()
    expect(await second).toBeUndefined()
    expect(calls.areOpen).toBe(false)
  })

  it('fail as denied if the user did not allow them, whatever ends the run', () => {
    const calls = createToolCalls()
    const aborted = toFailure(new ServiceError('aborted', 'The run was stopped.'))
    for (const [callId, approved] of [
      ['a', false],
      ['b', true],
    ] as const) {
      calls.note({ type: 'tool.called', callId, tool: 'pay', input: {} })
      calls.note({ type: 'tool.asked', callId, question: { kind: 'approval' } })
      calls.note({
        type: 'tool.answered',
        callId,
        answer: { kind: 'approval', approved, reason: 'no' },
        by: 'ada',
      })
    }

    expect(calls.failures(() => aborted)).toEqual([
      {
        type: 'tool.failed',
        callId: 'a',
        failure: expect.objectContaining({ code: 'denied', message: 'The user did not allow pay: no' }),
      },
      { type: 'tool.failed', callId: 'b', failure: aborted },
    ])
  })
})
