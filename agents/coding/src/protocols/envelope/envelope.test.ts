import { describe, expect, it } from 'vitest'

import type { Json, Run, RunEvent } from 'dragoman/events'
import { describeProtocol } from '../../../../../packages/dragoman/src/protocols/protocol.contract.ts'
import { logOf, run } from '../../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { envelope } from './index.ts'
import { validateEnvelopes, validateFullEnvelopes } from './validate-envelopes.fixture.ts'

const everything = { legacyEvents: true, showThinking: true }
describeProtocol(envelope, validateEnvelopes)
describeProtocol(envelope, validateFullEnvelopes, { name: 'envelope-full', view: { responseMode: 'full' } })
describeProtocol(envelope, validateEnvelopes, { name: 'envelope-legacy', view: everything })
describeProtocol(envelope, validateFullEnvelopes, {
  name: 'envelope-full-legacy',
  view: { responseMode: 'full', ...everything },
})

function encodeAll(events: readonly RunEvent[], view: Json = {}, of: Run = run): string[] {
  const encoder = envelope.encoder({ run: of, view })
  return logOf(events).flatMap((entry) => encoder(entry))
}

const usage = { inputTokens: 1, outputTokens: 1 }
const callId = 'run_story.2'
const trace: readonly RunEvent[] = [
  { type: 'text.started', partId: 'p1' },
  { type: 'text.delta', partId: 'p1', delta: "I'll" },
  { type: 'text.delta', partId: 'p1', delta: ' analyze' },
  { type: 'text.ended', partId: 'p1' },
  { type: 'tool.called', callId, tool: 'list_dir', input: { path: '.' } },
  { type: 'tool.executing', callId },
  { type: 'tool.returned', callId, output: null, text: 'a.ts' },
  { type: 'text.started', partId: 'p3' },
  { type: 'text.delta', partId: 'p3', delta: 'Done' },
  { type: 'text.ended', partId: 'p3' },
  { type: 'run.finished', reason: 'stop', usage },
]
const names = { sessionId: 's', messageId: 'm' }
const call = `{"callId":"run_story.2","name":"list_dir","args":{"path":"."}}`
const T = 1_700_000_000_000

describe('the documented envelope trace', () => {
  it('is written in increments, byte for byte', () => {
    const frame = (messages: string, status = 'generating') =>
      `{"sessionId":"s","messageId":"m","msgStatus":"${status}","messages":[${messages}]}`
    const message = (index: number, type: string, value: string, rest: string) => {
      const [after, status] = rest.split(' ')
      const time = T + Number(after)
      return `{"type":"${type}","value":${value},"timestamp":${time},"id":"m-${index}","status":"${status}"}`
    }

    expect(encodeAll(trace, names)).toEqual([
      frame(''),
      frame(message(0, 'content', `"I'll"`, '2 generating')),
      frame(message(0, 'content', '" analyze"', '3 generating')),
      frame(message(0, 'content', '""', '4 generated')),
      frame(message(1, 'tool_call_request', call, '5 generated')),
      frame(message(2, 'tool_execution_start', call, '6 generating')),
      frame(
        `${message(2, 'tool_execution_start', call, '7 generated')},` +
          message(3, 'tool_execution_complete', `{"toolCall":${call},"result":"a.ts"}`, '7 generated'),
      ),
      frame(message(4, 'content', '"Done"', '9 generating')),
      frame(message(4, 'content', '""', '10 generated')),
      frame('', 'finished'),
    ])
  })
})
