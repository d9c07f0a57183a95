import type { ToolOutcome } from '../agents/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'

/** Adds the outcome of a call to the answer, as the host has written it. */
export function applyOutcome(
  answer: AnswerBuilder,
  callId: string,
  { ok, output, text, files = [], code = 'tool-failed' }: ToolOutcome,
): void {
  for (const file of files) answer.apply({ ...file, callId })
  const failure = { code, message: text, retryable: false }
  answer.apply(
    ok ? { type: 'tool.returned', callId, output, text } : { type: 'tool.failed', callId, failure },
  )
}
