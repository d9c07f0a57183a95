import { isDetached, type Json, type Question, type RunEvent } from '../events/index.ts'
import type { RunContext } from './run-context.ts'
import type { Reply } from './tool-calls.ts'

type Call = { readonly callId: string; readonly tool: string; readonly input: Json }

/** Writes a question and waits for the reply; nothing once the run is given up. */
export type QuestionWriter = (call: Call, question: Question) => Promise<Reply | undefined>

export function createQuestionWriter(
  context: RunContext,
  write: (event: RunEvent) => boolean,
): QuestionWriter {
  const { run, ports, writer, tracker, waits, control } = context
  /** No projector knows a detached run, so its questions are listed here. */
  const putDetached = async ({ callId, tool, input }: Call, question: Question, expiresAt: number) => {
    const report = (error: unknown): void => ports.report(error, run.id)
    const { inPlace: _, basis: _own, ...shown } = question
    const row = { callId, tool, input, ...shown, expiresAt, askedAt: Date.now() }
    await ports.questions?.open(run, row).catch(report)
    const reply = await waits.replyTo(callId, expiresAt)
    await ports.questions?.close(callId).catch(report)
    return reply
  }
  return async (call, question) => {
    if (control.signal.aborted) return undefined
    const { callId } = call
    const expiresAt = question.expiresAt ?? Date.now() + ports.answerWithin * 1000
    write({ type: 'tool.asked', callId, question: { ...question, expiresAt } })
    await writer.flush()
    if (isDetached(run)) return putDetached(call, question, expiresAt)
    return question.inPlace ? waits.replyTo(callId, expiresAt) : tracker.calls.replyTo(callId)
  }
}
