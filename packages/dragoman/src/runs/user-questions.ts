import { isInputSchema, jsonFormOf, validateInput, type UserQuestion } from '../agents/index.ts'
import { describeMistakes } from '../describe-mistakes.ts'
import { ServiceError } from '../errors.ts'
import type { Answer, Json, Question, RunEvent } from '../events/index.ts'
import type { Reply } from './tool-calls.ts'
import type { ToolClock } from './tool-clock.ts'

/** Of the message of a question, and of the JSON of its schema. */
const MAX_MESSAGE_CHARACTERS = 4000
export const MAX_SCHEMA_CHARACTERS = 32 * 1024

type Form = Question & { readonly kind: 'form'; readonly message: string; readonly schema: Json }

/** What a call has been told by its user, as the log says. */
export type CallAnswers = {
  /** Of its forms, in their order. */
  readonly forms: readonly Answer[]
  /** The user has changed the input. */
  readonly isEdited: boolean
  /** Of the preview with which the user approved the input; none of one that they changed. */
  readonly basis?: string
}

export function answersOf(events: readonly RunEvent[], callId: string): CallAnswers {
  const forms: Answer[] = []
  let kind: Question['kind'] | undefined
  let isEdited = false
  let basis: string | undefined
  for (const event of events) {
    if (event.type === 'tool.asked' && event.callId === callId) {
      kind = event.question.kind
      basis ??= event.question.basis
    }
    if (event.type !== 'tool.answered' || event.callId !== callId) continue
    if (kind === 'form') forms.push(event.answer)
    else if (event.answer.kind === 'approval' && event.answer.input !== undefined) isEdited = true
  }
  return { forms, isEdited, ...(!isEdited && basis !== undefined && { basis }) }
}

/** What has become of the questions of a tool at work. */
export interface UserQuestions {
  /** Asks one after the other. */
  ask(question: UserQuestion, clock: ToolClock): Promise<Json>
  /** Why a question was left without an answer, which settles the call: its tool has no say in it. */
  readonly end: Exclude<Reply, Answer> | 'released' | undefined
}

type Ports = {
  /** The answers of earlier executions. */
  readonly forms: readonly Answer[]
  readonly defaultMs: number
  /** Writes a question and waits; nothing once the run is given up. */
  readonly put: (question: Form) => Promise<Reply | undefined>
  /** Writes that the tool works again. */
  readonly goOn: () => Promise<void>
}

export function createUserQuestions({ forms, defaultMs, put, goOn }: Ports): UserQuestions {
  let count = 0
  let end: UserQuestions['end']
  let turn: Promise<unknown> = Promise.resolve()
  const askForm = async (form: Form, clock: ToolClock): Promise<Answer> => {
    const earlier = forms[count++]
    if (earlier) return earlier
    clock.stop()
    const reply = await put(form)
    if (reply === undefined || reply === 'unanswered' || reply === 'expired') {
      end = reply ?? 'released'
      throw new ServiceError('aborted', 'The tool ends here: its question is open.')
    }
    await goOn()
    clock.go()
    return reply
  }
  const askOne = async (question: UserQuestion, clock: ToolClock): Promise<Json> => {
    const form = await toForm(question, defaultMs)
    return valueOf(question, await askForm(form, clock))
  }
  return {
    async ask(question, clock) {
      const answer = turn.then(() => askOne(question, clock))
      turn = answer.catch(() => undefined)
      return answer
    },
    get end() {
      return end
    },
  }
}

/** @throws ServiceError `invalid-request` for a question that cannot be logged */
async function toForm(
  { message, schema, answerWithinMs, inPlace }: UserQuestion,
  defaultMs: number,
): Promise<Form> {
  const form = isInputSchema(schema) ? await jsonFormOf(schema) : schema
  if (typeof message !== 'string' || message === '' || message.length > MAX_MESSAGE_CHARACTERS)
    throw new ServiceError(
      'invalid-request',
      `ask: message must have 1 to ${MAX_MESSAGE_CHARACTERS} characters.`,
    )
  if (JSON.stringify(form).length > MAX_SCHEMA_CHARACTERS)
    throw new ServiceError(
      'invalid-request',
      `ask: schema has more than ${MAX_SCHEMA_CHARACTERS} characters.`,
    )
  const expiresAt = Date.now() + (answerWithinMs ?? defaultMs)
  return { kind: 'form', message, schema: form, expiresAt, ...(inPlace === true && { inPlace }) }
}

/** @throws ServiceError `denied` if the user declines, `invalid-input` for what only the schema itself refuses */
async function valueOf({ schema }: UserQuestion, answer: Answer): Promise<Json> {
  if (answer.kind === 'approval' || answer.kind === 'error') throw declined(answer)
  if (!isInputSchema(schema)) return answer.output
  const validation = await validateInput(schema, answer.output)
  if (!validation.issues) return validation.value as Json
  throw new ServiceError(
    'invalid-input',
    `The answer is not as it must be. ${describeMistakes(validation.issues)}`,
  )
}

function declined(answer: Extract<Answer, { kind: 'approval' | 'error' }>): ServiceError {
  const reason = answer.kind === 'approval' ? answer.reason : answer.message
  return new ServiceError('denied', `The user declined to answer${reason ? `: ${reason}` : '.'}`)
}
