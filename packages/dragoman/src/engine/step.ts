import type { AssistantPart, FinishReason, UserMessage } from '../events/index.ts'
import type { ModelInfo } from '../models/index.ts'
import type { Answer } from './answer.ts'
import { callIds } from './call-ids.ts'
import type { CallHooks, CallInput, EngineEvent, EngineHost } from '../agents/index.ts'
import type { PromptMessage } from './prompt.ts'
import { newestMetadata, providersOwn } from './provider-metadata.ts'
import { reasonOf, usageOf, type Spent } from './spent.ts'
import { stepCalls, type StepCalls } from './step-calls.ts'

/** Wait for it where it is a promise: the host is behind. */
type Told = void | Promise<void>
type Kind = 'text' | 'reasoning'

/**
 * One call of the model, and the telling of it: what the model says goes to the host at once, and what it calls is run as soon as the call
 * is complete. Ids are the provider's own. A step has begun with the first word that is told.
 */
export interface Step {
  readonly instructions: string
  readonly prompt: readonly PromptMessage[]
  /** Messages that the user sent since the step before. They are in the prompt. */
  readonly joined: readonly UserMessage[]
  readonly calls: StepCalls
  /** What the model has said so far. */
  readonly parts: readonly AssistantPart[]
  /** Why it may call nothing, where it may not. */
  readonly closing?: Closing
  /** The model has said how it ends. */
  readonly complete: boolean
  start(kind: Kind, id: string, metadata: unknown): Told
  say(kind: Kind, id: string, delta: string, metadata: unknown): Told
  end(kind: Kind, id: string, metadata: unknown): Told
  startCall(id: string, tool: string): Told
  sayCall(id: string, delta: string): Told
  call(id: string, tool: string, input: CallInput, metadata: unknown): Told
  finish(reason: string, spent: Spent): void
  /** @throws ServiceError what may be said of an error of the model's */
  fail(error: unknown): never
  /** Tells the end; `limited`: the steps are used up. */
  close(limited: boolean): void
  /** Resolves once the end is told, which is after the outcomes of the calls. @throws what the host threw */
  readonly closed: Promise<void>
}

/** Of a step in which a model may only speak: its steps are used up, or a review has found something. */
export type Closing = 'limit' | 'review'

export type StepOptions = {
  readonly host: EngineHost
  readonly answer: Answer
  /** From 1, in its run. */
  readonly number: number
  readonly instructions: string
  readonly prompt: readonly PromptMessage[]
  readonly joined: readonly UserMessage[]
  readonly closing?: Closing
  /** Who speaks, or spoke last. */
  readonly speaker: () => ModelInfo
  readonly failure: (error: unknown) => Error
  /** Resolves when the run is aborted. */
  readonly stopped: Promise<undefined>
  readonly hooks: CallHooks | undefined
}

export function beginStep(options: StepOptions): Step {
  const { answer, instructions, prompt, joined, closing, speaker, failure } = options
  const partsBefore = answer.message.parts.length
  const calls = stepCalls(options)
  const newest = newestMetadata()
  const tell = teller(options)
  const ending = lastWord(tell)
  let end: { readonly reason: FinishReason; readonly spent: Spent } | undefined
  return {
    instructions,
    prompt,
    joined,
    calls,
    ...(closing && { closing }),
    get parts() {
      return answer.message.parts.slice(partsBefore)
    },
    get complete() {
      return end !== undefined
    },
    get closed() {
      return ending.told
    },
    start(kind, id, metadata) {
      newest.keep(id, metadata)
      return tell({ type: kind === 'text' ? 'text.started' : 'reasoning.started', partId: id })
    },
    say(kind, id, delta, metadata) {
      newest.keep(id, metadata)
      return tell({ type: kind === 'text' ? 'text.delta' : 'reasoning.delta', partId: id, delta })
    },
    end(kind, id, metadata) {
      newest.keep(id, metadata)
      const own = providersOwn(speaker().provider, { metadata: newest.take(id) })
      return tell({ type: kind === 'text' ? 'text.ended' : 'reasoning.ended', partId: id, ...own })
    },
    ...callTeller(options, tell, calls),
    finish(reason, spent) {
      end = { reason: reasonOf(reason), spent }
    },
    fail(error) {
      throw failure(error)
    },
    close(limited) {
      const reason = limited ? 'step-limit' : (end?.reason ?? 'other')
      const usage = usageOf(end?.spent, () => ({
        asked: instructions + JSON.stringify(prompt),
        said: wordsOf(answer.message.parts.slice(partsBefore)),
      }))
      ending.tell({ type: 'step.finished', reason, usage })
    },
  }
}

/** Tells the step's calls, and has each run once it is complete. */
function callTeller(
  { number, speaker }: StepOptions,
  tell: (event: EngineEvent) => Told,
  calls: StepCalls,
): Pick<Step, 'startCall' | 'sayCall' | 'call'> {
  const ids = callIds(number)
  return {
    startCall: (id, tool) => tell({ type: 'tool.started', callId: ids.open(id), tool }),
    sayCall: (id, delta) => tell({ type: 'tool.delta', callId: ids.open(id), delta }),
    call(id, tool, input, metadata) {
      const callId = ids.complete(id)
      const written = 'value' in input ? input.value : input.unreadable
      const own = providersOwn(speaker().provider, { callId: id, metadata })
      const told = tell({ type: 'tool.called', callId, tool, input: written, ...own })
      const run = (): void => calls.run({ callId, tool, input })
      return told ? told.then(run) : run()
    },
  }
}

/** All that a model has written, as far as tokens are counted by it. */
function wordsOf(parts: readonly AssistantPart[]): string {
  const words = parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    return part.type === 'tool' ? JSON.stringify(part.input ?? '') : ''
  })
  return words.join('')
}

/** What is told last: the host may take its time. */
function lastWord(tell: (event: EngineEvent) => Told) {
  const last = { told: Promise.resolve() }
  return {
    get told() {
      return last.told
    },
    tell(event: EngineEvent): void {
      const telling = async (): Promise<void> => tell(event)
      last.told = telling()
      // It may fail long before anybody waits for it.
      last.told.catch(() => undefined)
    },
  }
}

/** Only with its first word is it sure which model of a chain answers, or that one does. */
function teller({ host, answer, speaker }: StepOptions): (event: EngineEvent) => Told {
  let begun = false
  const told = (event: EngineEvent): Told => {
    answer.note(event)
    return host.emit(event)
  }
  const begin = async (first: EngineEvent): Promise<void> => {
    begun = true
    await told({ type: 'step.started', model: speaker().name })
    if (!host.signal.aborted) await told(first)
  }
  return (event) => (begun ? told(event) : begin(event))
}
