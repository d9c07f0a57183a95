import type { z } from 'zod'

import type { Json } from '../../../../packages/dragoman/src/events/index.ts'
import { vibelifeFrame } from '../../src/protocols/vibelife/judge.fixture.ts'
import type { MessageContent } from '../../../../test/laws/message-content.ts'

/** Of a reader of the frames that VibeLife documents, who puts delta to delta. */
export function saidByVibeLife(texts: readonly string[]): MessageContent {
  const frames = texts.map((text) => {
    const frame: unknown = JSON.parse(text)
    vibelifeFrame.parse(frame)
    return frame as z.infer<typeof vibelifeFrame>
  })
  const results = new Map(
    frames.flatMap((frame) => (frame.type === 'tool-result' ? [[frame.toolCallId, frame.result]] : [])),
  )
  const calls = frames.flatMap((frame) => {
    if (frame.type !== 'tool-call') return []
    const { toolCallId: id, toolName: tool, args: input } = frame
    return [[id, { tool, input, words: wordsOf(results.get(id)) }] as const]
  })
  const text = frames.map((frame) => (frame.type === 'text-delta' ? frame.delta : '')).join('')
  return { text, reasoning: '', calls: Object.fromEntries(calls) }
}

function wordsOf(result: Readonly<Record<string, Json>> | undefined): string | undefined {
  const { text, error } = (result ?? {}) as { text?: string; error?: string }
  return error ?? text
}
