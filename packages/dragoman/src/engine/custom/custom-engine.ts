import type { AgentEngine, EngineHost, EngineJob } from '../../agents/index.ts'
import { loopTurns } from '../../async/index.ts'
import {
  CUT_OFF_NOTICE,
  serverNote,
  textOf,
  type AssistantMessage,
  type Message,
} from '../../events/index.ts'
import { createAnswerBuilder, type AnswerBuilder } from '../answer-builder.ts'
import { findCorrection } from '../text-only-notes.ts'
import { takeUserMessages } from '../take-user-messages.ts'
import type { CustomJob, CustomMessage, CustomPart } from './custom-job.ts'
import { createCustomWriter, type CustomWriter } from './custom-writer.ts'

/** Of a file that an engine reads, at most. */
const MAX_FILE_BYTES = 32 * 1024 * 1024

/**
 * The answer of one run, part by part.
 *
 * @example
 * const stream: CustomStream = (async function* () { yield 'Hello.' })()
 */
export type CustomStream = AsyncIterable<CustomPart> | Iterable<CustomPart>

/**
 * An engine for one agent: a graph, an agent of another library, or a plain function. It gets the conversation and
 * yields the answer. Its run is durable, and clients follow it in every protocol. The function is called again for a
 * message that the user sends meanwhile, and to continue after a crash or an answer.
 *
 * @example
 * const echo = defineAgent({
 *   id: 'echo',
 *   instructions: 'Repeat what the user says.',
 *   tools: [],
 *   engine: customEngine(async function* ({ messages }) {
 *     yield `You said: ${messages.at(-1)?.content}`
 *   }),
 * })
 */
export function customEngine(
  stream: (job: CustomJob) => CustomStream | Promise<CustomStream>,
  { name = 'custom' }: { readonly name?: string } = {},
): AgentEngine {
  return {
    name,
    async run(job, host) {
      const answer = createAnswerBuilder(job.partialAnswer)
      const { signal } = host
      const abortion = rejectOnAbort(signal)
      const writer = createCustomWriter({ name, job, host, answer, abortion })
      await takeUserMessages(host, answer)
      let note: string | undefined
      do {
        const parts = await stream(customJob(job, { answer, note, host, writer }))
        await writeParts(parts, { writer, signal, abortion })
        if (signal.aborted) return
        note =
          (await takeUserMessages(host, answer)).length > 0 ? '' : await correctionNote(job, host, answer)
      } while (note !== undefined && !writer.isOver && !signal.aborted)
    },
  }
}

type Turn = {
  readonly answer: AnswerBuilder
  /** The server's note to the engine, if no user message is pending. */
  readonly note: string | undefined
  readonly host: Pick<EngineHost, 'signal' | 'readFile'>
  readonly writer: CustomWriter
}

function customJob(job: EngineJob, { answer, note, host, writer }: Turn): CustomJob {
  const { agent, history, tools, context, userId } = job
  return {
    instructions: agent.instructions,
    messages: [...history.flatMap(toMessage), ...answerMessages(answer.message, note)],
    history,
    partialAnswer: answer.message.parts.length > 0 ? answer.message : undefined,
    tools,
    context,
    userId,
    signal: host.signal,
    readFile: async (url) => host.readFile(url, MAX_FILE_BYTES),
    callTool: writer.callTool,
  }
}

/** Writes all parts. Returns early if the run is aborted or its steps are used up. @throws the stream's own error */
async function writeParts(
  stream: CustomStream,
  {
    writer,
    signal,
    abortion,
  }: { readonly writer: CustomWriter; readonly signal: AbortSignal; readonly abortion: Promise<never> },
): Promise<void> {
  const parts = Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]()
  const isAborted = abortion.catch(() => undefined)
  const turn = loopTurns()
  try {
    while (!writer.isOver) {
      const request = Promise.resolve(parts.next())
      // After an abort, the pending part rejects with the signal, and no code awaits it.
      request.catch(() => undefined)
      const next = await Promise.race([request, isAborted])
      // A tool call may have used up the steps.
      if (!next || writer.isOver || signal.aborted) return
      if (next.done) return await writer.end()
      await writer.write(next.value)
      await turn()
    }
  } catch (error) {
    if (!writer.isOver) throw error
  } finally {
    // A stream that has ended ignores this. A stream that waits must not hold the run.
    void Promise.resolve(parts.return?.()).catch(() => undefined)
  }
}

async function correctionNote(
  job: EngineJob,
  host: EngineHost,
  answer: AnswerBuilder,
): Promise<string | undefined> {
  const problem = await findCorrection(job, host, answer)
  return problem === undefined ? undefined : serverNote(problem)
}

function toMessage(message: Message): CustomMessage[] {
  const content = message.role === 'user' ? userText(message.parts) : textOf(message)
  return content === '' ? [] : [{ role: message.role, content }]
}

function userText(parts: Extract<Message, { role: 'user' }>['parts']): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : `[File: ${part.filename ?? part.mediaType}]`))
    .join('\n\n')
}

/** The run's text so far, the messages that the user sent meanwhile, and the request to continue. */
function answerMessages(answer: AssistantMessage, note: string | undefined): CustomMessage[] {
  const messages: CustomMessage[] = []
  for (const part of answer.parts) {
    if (part.type === 'user') messages.push({ role: 'user', content: userText(part.input) })
    if (part.type !== 'text' || part.text === '') continue
    const last = messages.at(-1)
    if (last?.role === 'assistant')
      messages.splice(-1, 1, { role: 'assistant', content: `${last.content}\n\n${part.text}` })
    else messages.push({ role: 'assistant', content: part.text })
  }
  const request = note ?? (messages.at(-1)?.role === 'assistant' ? CUT_OFF_NOTICE : '')
  return request === '' ? messages : [...messages, { role: 'user', content: request }]
}

/** Never resolves, and rejects with the signal's reason. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const stop = (): void => reject(signal.reason as Error)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return promise
}
