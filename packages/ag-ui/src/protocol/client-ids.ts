import type { Run } from 'dragoman/events'
import { parseAgUiViewOptions, type AgUiViewOptions } from './ag-ui-view-options.ts'

/** The message that begins with a step, counted from 1: its text and its calls. */
export function stepMessageId(messageId: string, step: number): string {
  return step <= 1 ? messageId : `${messageId}.${step}`
}

/** The reasoning parts of a run are counted from 1. */
export function reasoningId(messageId: string, part: number): string {
  return `${messageId}.r${part}`
}

export function resultId(callId: string): string {
  return `${callId}.result`
}

export function progressId(callId: string): string {
  return `${callId}.progress`
}

/** The reader's id of the conversation, or the id that started the run. */
export function threadIdOf(run: Run, view: AgUiViewOptions): string {
  return view.threadId ?? replyView(run).threadId ?? run.threadId
}

/** The run id of the client that started the run. */
export function firstRunId(run: Run): string {
  return replyView(run).runId ?? run.id
}

/** The run from which the client's run branched, if a reader's request or the run's own named it. */
export function parentRunIdOf(run: Run, view: AgUiViewOptions, runId: string): string | undefined {
  return [view, replyView(run)].find((each) => each.runId === runId)?.parentRunId
}

/** The run id of the client that answered the run: the part after the answer is a run of its own. */
export function laterRunId({ id, agent, threadId }: Run, key: string | undefined, seq: number): string {
  const scope = `run:${agent}/${threadId}:`
  return key?.startsWith(scope) ? key.slice(scope.length) : `${id}.${seq}`
}

/** Whether a message came with the very request that a reader has the answer to. */
export function isOwnMessage(
  { agent, threadId }: Run,
  { runId }: AgUiViewOptions,
  key: string | undefined,
): boolean {
  return runId !== undefined && key === `run:${agent}/${threadId}:${runId}:message`
}

/** The names and options of the client that started the run, if it was one of AG-UI. */
export function replyView({ reply }: Run): AgUiViewOptions {
  return reply.protocol === 'ag-ui' || reply.protocol === 'use-ai' ? parseAgUiViewOptions(reply.view) : {}
}
