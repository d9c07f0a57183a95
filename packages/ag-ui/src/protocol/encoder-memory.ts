import {
  noUsage,
  applyJsonPatch,
  type Json,
  type LogEntry,
  type Message,
  type PatchOperation,
  type Run,
  type Usage,
} from 'dragoman/events'
import { type EncoderStart, initialProgress, type RunProgress } from 'dragoman/protocols'
import { stepMessageId } from './client-ids.ts'
import { parseAgUiViewOptions, type AgUiViewOptions, type Profile } from './ag-ui-view-options.ts'

/** The state of a call on the wire. */
export type WireCall = {
  readonly tool: string
  /** The model's provider runs it. */
  readonly by?: 'provider'
  /** The step that made it, from 1. */
  readonly step: number
  /** The number of deltas in the log when the call started. If there are more at its end, its input was streamed. */
  readonly deltas: number
  /** Whether the client has seen the call's start and its end. */
  stage: 'untold' | 'open' | 'ended'
}

/** What an encoder must know of the entries before its cursor: structure only. Deltas never change it. */
export type EncoderMemory = {
  progress: RunProgress
  state: Json
  /** Entries that are structure: whatever else has a number is a delta. */
  structuralCount: number
  /** The number of steps and of reasoning parts that have started. */
  steps: number
  /** The step with which the client's run began, or will begin, from 1. */
  firstStep: number
  reasoningCount: number
  /** Deltas that the log had when the last text began, and whether a text before it in its message had any. */
  textDeltas: number
  hasEarlierText: boolean
  /** Whether any text or call has started. */
  hasText: boolean
  hasCalls: boolean
  /** The text of the run so far. Only use-ai needs it, because its end repeats the whole text. */
  text: string
  readonly calls: Map<string, WireCall>
  /** The client's name of the run that it reads; none between two. */
  runId: string | undefined
  /** The key of the last answer. */
  key: string | undefined
  /** The model of the last step, and what the steps of each model have used that the client has not been sent. */
  model: string
  readonly usageByModel: Map<string, Usage>
  /** The usage that the client has been sent. */
  reportedUsage: Usage
  /** The conversation before the run, until the client has been sent it. */
  before: readonly Message[] | undefined
}

/** One reader's encoder: its run, its options and its memory. */
export type EncoderContext = {
  readonly run: Run
  readonly view: AgUiViewOptions
  readonly profile: Profile
  readonly memory: EncoderMemory
}

export function createEncoderContext({ run, view, before }: EncoderStart, profile: Profile): EncoderContext {
  const memory: EncoderMemory = {
    progress: initialProgress,
    state: run.request.state ?? {},
    structuralCount: 0,
    steps: 0,
    firstStep: 1,
    reasoningCount: 0,
    textDeltas: 0,
    hasEarlierText: false,
    hasText: false,
    hasCalls: false,
    text: '',
    calls: new Map(),
    runId: undefined,
    key: undefined,
    model: '',
    usageByModel: new Map(),
    reportedUsage: noUsage,
    before,
  }
  return { run, view: parseAgUiViewOptions(view), profile, memory }
}

/**
 * The message id of a step. A client of use-ai keeps only the last message of a run, so there all steps of its
 * run share one message.
 */
export function messageIdOf({ run, profile, memory }: EncoderContext, step = memory.steps): string {
  return stepMessageId(run.messageId, profile === 'use-ai' ? memory.firstStep : step)
}

/** The number of deltas before an entry. Every entry has a number, and structural entries are never skipped. */
export function deltasBefore({ seq }: LogEntry, { structuralCount }: EncoderMemory): number {
  return seq - 1 - structuralCount
}

/** Applies a patch. An invalid one changes nothing, as in the run's own state. */
export function changeState(memory: EncoderMemory, patch: readonly PatchOperation[]): boolean {
  try {
    memory.state = applyJsonPatch(memory.state, patch) ?? {}
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
