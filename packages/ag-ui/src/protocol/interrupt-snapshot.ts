import {
  isForPerson,
  isJsonObject,
  parseJson,
  type AssistantMessage,
  type AssistantPart,
  type Json,
  type Message,
  type Run,
} from 'dragoman/events'
import { httpProfile, parseAgUiViewOptions } from './ag-ui-view-options.ts'
import { fitsOneEvent, toClientMessages } from './run-start-events.ts'
import { toStepMessages } from './to-ag-ui-messages.ts'
import type { AgUiEvent } from './wire.ts'

/** Where a client's run asks a person: the conversation before our run, and what our run has said up to there. */
export type InterruptedRun = {
  readonly run: Run
  readonly view: Json
  readonly before: readonly Message[]
  readonly answer: AssistantMessage
}

/** Whether an event ends the client's run because a person must decide. */
export function isInterrupt(frame: string): boolean {
  if (!frame.startsWith('{"type":"RUN_FINISHED"')) return false
  const event = parseJson(frame)
  const outcome = isJsonObject(event) ? event['outcome'] : undefined
  return isJsonObject(outcome) && outcome['type'] === 'interrupt'
}

/**
 * The messages that a client has when an interrupt ends its run, under its own ids: who resumes elsewhere can take
 * them over. `frame` is that end. None if a client would not take so much in one event, or would show it wrong.
 */
export function snapshotBefore(
  frame: string,
  { run, view, before, answer }: InterruptedRun,
): string | undefined {
  const options = parseAgUiViewOptions(view)
  const profile = httpProfile(options)
  if (isSplitByClients(answer)) return undefined
  const parts = answer.parts.filter((part) => !isUntold(part, run))
  const messages = toClientMessages(
    { run, view: options, profile },
    before,
    toStepMessages({ ...answer, parts }, profile),
  )
  if (!fitsOneEvent(messages)) return undefined
  const end = parseJson(frame)
  const at = isJsonObject(end) ? end['timestamp'] : undefined
  return JSON.stringify({
    type: 'MESSAGES_SNAPSHOT',
    messages,
    timestamp: typeof at === 'number' ? at : 0,
  } satisfies AgUiEvent)
}

/**
 * Whether a client that begins a message with its text alone has other messages than we name. assistant-ui adds the
 * calls of a later step without text to the message before, and reasoning to the message after: with a snapshot, it
 * shows them twice and finds no question.
 */
function isSplitByClients({ parts }: AssistantMessage): boolean {
  const isStep = ({ type }: AssistantPart): boolean => type === 'step'
  const last = parts.slice(parts.findLastIndex(isStep))
  const isFirst = parts.filter(isStep).length <= 1
  const hasText = last.some((part) => part.type === 'text' && part.text !== '')
  return last.some(({ type }) => type === 'reasoning') || !(hasText || isFirst)
}

/** A client gets the call of its own tool only once a person has approved it. */
function isUntold(part: AssistantPart, { request }: Run): boolean {
  if (part.type !== 'tool' || part.state === 'returned' || part.state === 'failed') return false
  return isForPerson(part.question) && request.tools.some(({ name }) => name === part.tool)
}
