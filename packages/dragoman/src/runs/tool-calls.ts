import { fitsQuestion, type Answer, type Failure, type Question, type RunEvent } from '../events/index.ts'
import { denied } from './tool-failure.ts'

/** How far a call without outcome has come. `provider`: the model's provider runs it. */
export type CallState = 'input' | 'called' | 'provider' | 'asked' | 'answered' | 'executing'

/**
 * What becomes of a question: its answer, or the user has said something else, which the log says already, or its time
 * is over.
 */
export type Reply = Answer | 'unanswered' | 'expired'

type ToolCall = {
  /** As the log has it. */
  state: CallState
  /** Part of the input has been streamed. */
  isStreamed?: boolean
  tool?: string
  /** What the call was last asked for. */
  question?: Question
  /** The user did not allow it. */
  denial?: Failure
  /** A reply to a question for which nothing waits yet. */
  reply?: Reply
  /** Ends the wait for the reply. */
  resume?: (reply: Reply | undefined) => void
}

type Of<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>
type CallEvent = Exclude<Extract<RunEvent, { callId: string }>, { type: 'tool.progressed' }>

/**
 * The calls of one run that have no outcome: how far the log says each has come, and what works on it or waits for it
 * here.
 */
export interface ToolCalls {
  /** Takes note of an event that goes into the log. */
  note(event: CallEvent): void
  stateOf(callId: string): CallState | undefined
  /** Whether an event must say the input of a call, of which nothing has been streamed. */
  isUnstreamed(callId: string): boolean
  /** Calls that wait for an answer, in the order in which they were made. */
  readonly asked: readonly string[]
  /** Whether an answer is one to what is asked now, not to what the call was asked before. */
  isAsked(answered: Pick<Of<'tool.answered'>, 'callId' | 'answer'>): boolean
  /** The failures of the calls for which `failureOf` gives one. A call that the user has denied fails as that. */
  failures(failureOf: (state: CallState) => Failure | undefined): RunEvent[]
  /** A call is at work until `work` is over, except while it waits for a reply. */
  atWork<T>(work: () => Promise<T>): Promise<T>
  /** Waits for the reply to the question of a call at work; gives nothing once the run is aborted. */
  replyTo(callId: string): Promise<Reply | undefined>
  /** Hands a reply to the call that waits for it, or is about to. */
  reply(callId: string, reply: Reply): void
  /** Whether any call is at work or waits for a reply. */
  readonly areOpen: boolean
  /** Resolves once nothing is at work. */
  idle(): Promise<void>
}

/** Once `signal` aborts, no call waits for a reply any more. */
export function createToolCalls(signal?: AbortSignal): ToolCalls {
  const calls = new Map<string, ToolCall>()
  const work = workCounter()
  const resume = (call: ToolCall, reply: Reply | undefined): void => {
    const { resume: resolve } = call
    if (!resolve) return
    delete call.resume
    work.add(1)
    resolve(reply)
  }
  const onAbort = (): void => {
    for (const call of calls.values()) resume(call, undefined)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  return {
    note: (event) => note(calls, event),
    stateOf: (callId) => calls.get(callId)?.state,
    isUnstreamed: (callId) => calls.get(callId)?.isStreamed === undefined,
    get asked() {
      return [...calls].flatMap(([callId, { state }]) => (state === 'asked' ? [callId] : []))
    },
    isAsked({ callId, answer }) {
      const call = calls.get(callId)
      return call?.state === 'asked' && fitsQuestion(call.question?.kind, answer)
    },
    failures: (failureOf) =>
      [...calls].flatMap(([callId, { state, denial }]) => {
        const failure = failureOf(state)
        return failure ? [{ type: 'tool.failed', callId, failure: denial ?? failure } as const] : []
      }),
    async atWork(act) {
      work.add(1)
      return act().finally(() => work.add(-1))
    },
    async replyTo(callId) {
      const call = calls.get(callId)
      const reply = call?.reply
      delete call?.reply
      if (!call || reply !== undefined || signal?.aborted) return reply
      const { promise, resolve } = Promise.withResolvers<Reply | undefined>()
      call.resume = resolve
      work.add(-1)
      return promise
    },
    reply(callId, reply) {
      const call = calls.get(callId)
      if (call?.resume) resume(call, reply)
      else if (call) call.reply = reply
    },
    get areOpen() {
      return work.count > 0 || [...calls.values()].some((call) => call.resume !== undefined)
    },
    idle: work.idle,
  }
}

function note(calls: Map<string, ToolCall>, event: CallEvent): void {
  const { callId } = event
  const call: ToolCall = calls.get(callId) ?? { state: 'input' }
  switch (event.type) {
    case 'tool.started':
      call.state = 'input'
      call.tool = event.tool
      calls.set(callId, call)
      return
    case 'tool.called':
      call.state = event.by ?? 'called'
      call.tool = event.tool
      calls.set(callId, call)
      return
    case 'tool.delta':
      call.isStreamed = true
      return
    case 'tool.asked':
      call.state = 'asked'
      call.question = event.question
      return
    case 'tool.answered':
      call.state = 'answered'
      if (event.answer.kind === 'approval' && !event.answer.approved && !call.question?.inPlace)
        call.denial = denied(call.tool ?? 'this', event.answer.reason).failure
      return
    case 'tool.executing':
      call.state = 'executing'
      return
    case 'tool.returned':
    case 'tool.failed':
      calls.delete(callId)
  }
}

/** Counts pieces of work, and tells when there is none. */
function workCounter() {
  let count = 0
  let quiet: PromiseWithResolvers<void> | undefined
  return {
    get count() {
      return count
    },
    add(change: 1 | -1): void {
      count += change
      if (count > 0) return
      quiet?.resolve()
      quiet = undefined
    },
    async idle(): Promise<void> {
      while (count > 0) {
        quiet ??= Promise.withResolvers()
        await quiet.promise
      }
    },
  }
}
