import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { envelope } from '../../src/protocols/envelope/index.ts'
import { envelopesOf } from '../../src/protocols/envelope/validate-envelopes.fixture.ts'
import { anyLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { framesOf } from '../../../../test/laws/encoded.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { folded, contentOfFold } from '../../../../test/laws/message-content.ts'
import { accumulating, keepingState } from './described-clients.ts'

const MODES = ['incremental', 'full'] as const
const textOf = (values: readonly unknown[]): string => values.join('')

describe('the clients of the specification', () => {
  it('build the right text by concatenation', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const { handleMessage, contentBuffer } = accumulating()
        for (const { messages } of envelopesOf(framesOf(envelope, log).flat()))
          messages.forEach(handleMessage)

        expect(textOf(Object.values(contentBuffer))).toBe(contentOfFold(folded(log)).text)
      }),
      RUNS,
    )
  })

  it.each(MODES)('build the right text and final state in mode %s', (responseMode) => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const { handleStreamMessage, messageState, finished } = keepingState(responseMode)
        const frames = framesOf(envelope, log, { responseMode }).flat()
        for (const response of envelopesOf(frames)) handleStreamMessage(response)

        const states = [...messageState.values()]
        const contents = states.filter(({ type }) => type === 'content')
        expect(textOf(contents.map(({ value }) => value))).toBe(contentOfFold(folded(log)).text)
        const isOver = folded(log).finishReason !== undefined || folded(log).failure !== undefined
        expect(finished()).toBe(isOver ? 1 : 0)
        if (isOver) expect(states.filter(({ status }) => status === 'generating')).toEqual([])
      }),
      RUNS,
    )
  })
})
