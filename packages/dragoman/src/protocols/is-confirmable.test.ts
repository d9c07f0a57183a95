import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Json, LogEntry } from '../events/index.ts'
import { dataStream, uiMessageStream, type Protocol } from './index.ts'
import { anyLogs } from './arbitrary-logs.fixture.ts'
import { CONFIRMED_TOOL, run } from './stories.fixture.ts'

/** What tells a client to run a tool of its own, by the name of the call. */
const readers: Readonly<Record<string, { protocol: Protocol; view: Json; runs: RegExp }>> = {
  v4: { protocol: dataStream, view: {}, runs: /^9:.*"toolCallId":"([^"]*)"/ },
  v5: {
    protocol: uiMessageStream,
    view: { profile: 'v5' },
    runs: /"tool-input-available","toolCallId":"([^"]*)"/,
  },
  v6: {
    protocol: uiMessageStream,
    view: { profile: 'v6' },
    runs: /"tool-input-available","toolCallId":"([^"]*)"/,
  },
  v7: {
    protocol: uiMessageStream,
    view: { profile: 'v7' },
    runs: /"tool-input-available","toolCallId":"([^"]*)"/,
  },
}

describe.each(Object.entries(readers))('a client of AI SDK %s', (_, { protocol, view, runs }) => {
  const toldToRun = (log: readonly LogEntry[]): string[] => {
    const encode = protocol.encoder({ run, view: protocol.view(view, {}) })
    const frames = log.flatMap((entry) => encode(entry))
    return frames.flatMap((frame) => runs.exec(frame)?.[1] ?? [])
  }

  it('gets a tool call that needs an approval once, when its output is asked for', () => {
    fc.assert(
      fc.property(anyLogs, (log) => {
        const confirmed = new Set<string>()
        const questions: string[] = []
        for (const { event } of log) {
          if (event.type === 'tool.called' && event.tool === CONFIRMED_TOOL) confirmed.add(event.callId)
          if (event.type === 'tool.asked' && event.question.kind === 'output') questions.push(event.callId)
        }
        const ofConfirmed = (calls: readonly string[]) => calls.filter((callId) => confirmed.has(callId))
        expect(ofConfirmed(toldToRun(log))).toEqual(ofConfirmed(questions))
      }),
      { numRuns: 100, seed: 20_261_122 },
    )
  })
})
