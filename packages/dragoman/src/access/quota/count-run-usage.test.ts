import { describe, expect, it } from 'vitest'

import { noUsage, type RunEvent } from '../../events/index.ts'
import { countRunUsage, type SkillsUsed } from './count-run-usage.ts'

const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens })
const started = (model: string): RunEvent => ({ type: 'step.started', model })
const finished = (input: number, output: number): RunEvent => ({
  type: 'step.finished',
  reason: 'stop',
  usage: usage(input, output),
})
const called = (callId: string, tool: string, input: (RunEvent & object) | object = {}): RunEvent =>
  ({ type: 'tool.called', callId, tool, input }) as RunEvent
const returned = (callId: string, spent = noUsage): RunEvent => ({
  type: 'tool.returned',
  callId,
  output: null,
  text: '',
  usage: spent,
})
const failed = (callId: string): RunEvent => ({
  type: 'tool.failed',
  callId,
  failure: { code: 'tool-failed', message: 'No.', retryable: false },
})
const ended = (input: number, output: number): RunEvent => ({
  type: 'run.finished',
  reason: 'stop',
  usage: usage(input, output),
})

const skillsUsed: SkillsUsed = ({ tool, input }) =>
  tool === 'use_skill' ? (input as { skills: string[] }).skills : []

const countEvents = (...events: readonly RunEvent[]) =>
  countRunUsage(
    events.map((event, at) => ({ seq: at + 1, at, event })),
    skillsUsed,
  )
const parts = (...events: readonly RunEvent[]): string[] | undefined =>
  countEvents(...events)?.parts.map(
    ({ kind, name, times, input_tokens, output_tokens }) =>
      `${kind} ${name} ${times}x ${input_tokens}+${output_tokens}`,
  )

describe('countRun', () => {
  it('returns undefined before the run has ended', () => {
    expect(countEvents(started('m'), finished(1, 2))).toBeUndefined()
  })

  it('counts totals, models and tools of an ended run', () => {
    const log = [
      started('m'),
      called('c1', 'look'),
      called('c2', 'ask'),
      finished(10, 5),
      returned('c1'),
      returned('c2', usage(3, 4)),
      started('m'),
      called('c3', 'look'),
      finished(20, 5),
      failed('c3'),
      started('n'),
      finished(1, 1),
      ended(34, 15),
    ]

    expect(countEvents(...log)?.usage).toEqual(usage(34, 15))
    expect(parts(...log)).toEqual([
      'tool look 2x 0+0',
      'tool ask 1x 3+4',
      'model m 2x 30+10',
      'model n 1x 1+1',
    ])
  })

  it('counts the tokens of an interrupted step for its model', () => {
    const cancelled: RunEvent = { type: 'run.cancelled', by: 'ada', usage: usage(17, 8) }

    expect(parts(started('m'), finished(10, 5), started('n'), cancelled)).toEqual([
      'model m 1x 10+5',
      'model n 1x 7+3',
    ])
  })

  it('counts each used skill once, and no refused one', () => {
    const log = [
      started('m'),
      called('c1', 'use_skill', { skills: ['bazi', 'almanac', 'bazi'], topic: 'self' }),
      returned('c1'),
      called('c2', 'use_skill', { skills: ['tarot'] }),
      failed('c2'),
      finished(1, 1),
      ended(1, 1),
    ]

    expect(parts(...log)?.filter((part) => part.startsWith('skill'))).toEqual([
      'skill bazi 1x 0+0',
      'skill almanac 1x 0+0',
    ])
  })
})
