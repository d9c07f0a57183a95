import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { isJsonObject, textOf, type ToolPart } from '../../../../packages/dragoman/src/events/index.ts'
import { vibelife } from '../../src/protocols/vibelife/index.ts'
import { anyLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { framesOf } from '../../../../test/laws/encoded.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { saidByVibeLife } from './said-vibelife.ts'
import {
  asObject,
  folded,
  contentOfFold,
  type MessageContent,
} from '../../../../test/laws/message-content.ts'
import { describeEncoders } from '../../../../test/laws/encoders.contract.ts'
import { vibelifeJudge } from '../../src/protocols/vibelife/judge.fixture.ts'

describeEncoders({ vibelife: { protocol: vibelife, judge: vibelifeJudge, startsSilently: true } })

describe('whatever a run writes, in vibelife', () => {
  it('its reader has the text and the calls of our own fold', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const message = folded(log)
        const own = new Set(
          message.parts.flatMap((part) =>
            part.type === 'tool' && speaksForItself(part) ? [part.callId] : [],
          ),
        )
        const expected = contentOfFold(message, asObject)
        const { text, calls } = saidByVibeLife(framesOf(vibelife, log).flat())

        expect(text).toBe(textOf(message))
        expect(withoutWords(calls, own)).toEqual(withoutWords(expected.calls, own))
      }),
      RUNS,
    )
  })
})

/** What has words of its own is told with those; an object that the client gave comes back without others. */
function speaksForItself({ output = null, answer }: ToolPart): boolean {
  return isJsonObject(output) && ('text' in output || 'error' in output || answer?.kind === 'output')
}

function withoutWords(calls: MessageContent['calls'], own: ReadonlySet<string>): MessageContent['calls'] {
  const results = Object.entries(calls).map(
    ([id, call]) => [id, own.has(id) ? { ...call, words: undefined } : call] as const,
  )
  return Object.fromEntries(results)
}
