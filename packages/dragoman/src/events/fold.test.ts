import { describe, expect, it } from 'vitest'

import { emptyMessage, fold } from './fold.ts'
import type { Json } from './json.ts'
import type { RunEvent } from './run-event.ts'

/** The call after it has reported these. */
function callAfter(...reports: readonly { readonly delta?: string; readonly output?: Json }[]) {
  const called: RunEvent = { type: 'tool.called', callId: 'c', tool: 'run', input: {} }
  let message = fold(emptyMessage('msg_1'), called)
  for (const report of reports) message = fold(message, { type: 'tool.progressed', callId: 'c', ...report })
  return message.parts.find((part) => part.type === 'tool')
}

describe('the progress of a call', () => {
  it('joins texts and keeps their end', () => {
    expect(callAfter({ delta: 'one ' }, { delta: 'two' })?.progress).toBe('one two')
    expect(callAfter({ delta: 'a' }, { delta: 'b'.repeat(4000) })?.progress).toBe('b'.repeat(4000))
  })

  it('is the newest output, if there is one', () => {
    expect(callAfter({ delta: 'x' }, { output: 1 }, { output: 2 }, { delta: 'y' })?.progress).toBe(2)
  })
})
