import {
  noUsage,
  applyJsonPatch,
  type Json,
  type LogEntry,
  type Message,
  type PatchOperation,
  type Run,
  type Usage,
} from '../../events/index.ts'
import type { EncoderStart } from '../protocol.ts'
import { initialProgress, type RunProgress } from '../run-progress.ts'
import { stepMessageId } from './client-ids.ts'
import { agUiView, type AgUiView, type Profile } from './ag-ui-view.ts'

/** A call as it stands on the wire. */
export type WireCall = {
  readonly tool: string
  /** The step that made it, from 1. */
  readonly step: number
  /** Deltas that the log had when it began: where there are more at its end, its input has been streamed. */
  readonly deltas: number
  /** Whether the client has heard of it, and whether of its end too. */
  stage: 'untold' | 'open' | 'ended'
}

/** What must be known of the entries before one: structure alone. Deltas leave it as it is. */
export type EncoderMemory = {
  progress: RunProgress
  state: Json
  /** Entries that are structure: whatever else has a number is a delta. */
  structuralCount: number
  /** Steps and reasoning parts that have begun. */
  steps: number
  /** The step with which the client's run began, or will begin, from 1. */
  firstStep: number
  reasoningCount: number
  /** Deltas that the log had when the last text began, and whether a text before it in its message had any. */
  textDeltas: number
  hasEarlierText: boolean
  /** Whether any text has begun, or any call. */
  hasText: boolean
  hasCalls: boolean
  /** What the run has said, for use-ai alone: it is told all of it once more in the end. */
  text: string
  readonly calls: Map<string, WireCall>
  /** The client's name of the run that it reads; none between two. */
  runId: string | undefined
  /** The key of the last answer. */
  key: string | undefined
  /** What the client has been told of usage. */
  reportedUsage: Usage
}

/** One reader's encoder: what it writes of, for whom, and what it remembers. */
export type EncoderContext = {
  readonly run: Run
  readonly view: AgUiView
  readonly profile: Profile
  readonly before: readonly Message[] | undefined
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
    reportedUsage: noUsage,
  }
  return { run, view: agUiView(view), profile, before, memory }
}

/**
 * The message of a step. A client of use-ai keeps the last message of a run alone: there all steps of its run share
 * one.
 */
export function messageIdOf({ run, profile, memory }: EncoderContext, step = memory.steps): string {
  return stepMessageId(run.messageId, profile === 'use-ai' ? memory.firstStep : step)
}

/** Deltas before an entry: each entry has its number, and those that are structure are always told. */
export function deltasBefore({ seq }: LogEntry, { structuralCount }: EncoderMemory): number {
  return seq - 1 - structuralCount
}

/** What does not fit changes nothing: the run's own state stayed as it was, too. */
export function changeState(memory: EncoderMemory, patch: readonly PatchOperation[]): boolean {
  try {
    memory.state = applyJsonPatch(memory.state, patch) ?? {}
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
