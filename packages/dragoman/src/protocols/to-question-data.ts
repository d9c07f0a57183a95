import { fitsQuestion, type Answer, type Json, type Question } from '../events/index.ts'

/** A question as the datum `question`, for clients that have no word for one. Its later form has all of the earlier. */
export function toQuestionData({
  callId,
  tool,
  input,
  question: { kind, message, schema, expiresAt, preview },
  state,
  answer,
}: {
  callId: string
  tool: string
  input: Json
  question: Question
  /** `closed`: the question was not answered and can no longer be. */
  state: 'open' | 'answered' | 'closed'
  answer?: Answer | undefined
}): { readonly [field: string]: Json } {
  return {
    callId,
    tool,
    input,
    kind,
    ...(message !== undefined && { message }),
    ...(schema !== undefined && { schema }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(preview && { preview }),
    state,
    ...(kind !== 'output' && answer?.kind === 'approval' && { answer: toVerdict(answer) }),
    ...(answer?.kind === 'form' && { answer: { output: answer.output } }),
  }
}

/** An approval, in the form of a call's output. */
export function toVerdict({ approved, input, reason }: Extract<Answer, { kind: 'approval' }>): {
  readonly [field: string]: Json
} {
  return { approved, ...(input !== undefined && { input }), ...(reason !== undefined && { reason }) }
}

/** Whether a call's last question is answered. An approved call may be asked for its output too. */
export function isAnswered({
  question,
  answer,
}: {
  readonly question?: Question | undefined
  readonly answer?: Answer | undefined
}): boolean {
  return answer !== undefined && fitsQuestion(question?.kind, answer)
}
