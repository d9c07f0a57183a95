import {
  emptyMessage,
  fold,
  textOf,
  type AssistantMessage,
  type Failure,
  type Json,
  type RunEvent,
  type ToolPart,
} from '../events/index.ts'
import { readEntries } from '../server/index.ts'

/**
 * The options of a message.
 *
 * @example
 * const { threadId } = await server.send('dice', 'Roll a die.')
 * await server.send('dice', 'Once more.', { threadId, context: { sides: 6 } })
 */
export type SendOptions = {
  /** The thread of an earlier answer, to continue its conversation. */
  readonly threadId?: string
  /** The context that the client reports. */
  readonly context?: Json
  /** Set for a test of calls that the agent has no tool for. Otherwise such a call is a mistake in the script. */
  readonly unknownTools?: true
}

/**
 * One tool call of an answer. `error` is set if it failed, and neither `output` nor `error` if it waits for an answer.
 *
 * @example
 * expect(answer.toolCalls).toEqual([{ toolName: 'roll', input: { sides: 6 }, output: 4 }])
 */
export type TestToolCall = {
  readonly toolName: string
  readonly input: Json | undefined
  readonly output?: Json
  readonly error?: Failure
}

/**
 * The result of one message.
 *
 * @example
 * const answer: TestAnswer = await server.send('dice', 'Roll a die.')
 * expect(answer).toMatchObject({ status: 'finished', text: 'You rolled a 4.' })
 * expect(answer.events.map(({ type }) => type)).toContain('tool.executing')
 */
export type TestAnswer = {
  readonly text: string
  readonly toolCalls: readonly TestToolCall[]
  /** The events of the run's log, as clients get them. */
  readonly events: readonly RunEvent[]
  readonly status: AssistantMessage['status']
  /** Why the run failed, if it did. */
  readonly error?: Failure
  readonly threadId: string
  readonly runId: string
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>
type Message = SendOptions & { readonly agent: string; readonly message: string }

/** Sends a message by the server's own API, and reads the run to its end, or until it waits. */
export async function send(
  fetch: Fetch,
  { agent, message, threadId, context, unknownTools }: Message,
): Promise<TestAnswer> {
  const post = (path: string, body: object): Promise<Response> =>
    fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const thread = threadId ?? (await idOf(await post('/v1/threads', { agent })))
  const response = await post(`/v1/threads/${thread}/runs`, {
    agent,
    message,
    ...(context !== undefined && { context }),
  })
  const runId = String(response.headers.get('x-run-id'))
  const events: RunEvent[] = []
  let assistantMessage = emptyMessage(runId)
  if (!response.ok) throw await refusalOf(response)
  for await (const { event } of readEntries(response)) {
    events.push(event)
    assistantMessage = fold(assistantMessage, event)
    if (!unknownTools) requireKnownTool(event, assistantMessage)
    if (event.type === 'run.waiting') break
  }
  return {
    text: textOf(assistantMessage),
    toolCalls: assistantMessage.parts.flatMap((part) => (part.type === 'tool' ? [toolCall(part)] : [])),
    events,
    status: assistantMessage.status,
    ...(assistantMessage.failure && { error: assistantMessage.failure }),
    threadId: thread,
    runId,
  }
}

/** @throws Error if the model called a tool that the run does not have */
function requireKnownTool(event: RunEvent, { parts }: AssistantMessage): void {
  if (event.type !== 'tool.failed' || event.failure.code !== 'unknown-tool') return
  const call = parts.find((part) => part.type === 'tool' && part.callId === event.callId)
  const name = call?.type === 'tool' ? call.tool : ''
  throw new Error(
    `send: the model called ${JSON.stringify(name)}, which is not a tool of the run. Correct the name in ` +
      'toolCall() of the script, or pass { unknownTools: true } to test such a call.',
  )
}

async function idOf(response: Response): Promise<string> {
  if (!response.ok) throw await refusalOf(response)
  const { id } = (await response.json()) as { readonly id: string }
  return id
}

async function refusalOf(response: Response): Promise<Error> {
  const { error } = (await response.json()) as { readonly error?: string }
  return new Error(error ?? `The server answered ${response.status}.`)
}

function toolCall({ tool, input, output, failure }: ToolPart): TestToolCall {
  return {
    toolName: tool,
    input,
    ...(output !== undefined && { output }),
    ...(failure && { error: failure }),
  }
}
