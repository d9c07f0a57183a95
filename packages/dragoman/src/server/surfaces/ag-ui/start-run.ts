import { isServiceError } from '../../../errors.ts'
import {
  canonicalJson,
  isJsonObject,
  type ChatRequest,
  type Json,
  type Run,
  type ThreadPolicy,
} from '../../../events/index.ts'
import type { Protocol, RunRequest } from '../../../protocols/index.ts'
import { stateOf, type Runs } from '../../../runs/index.ts'
import type { Thread } from '../../../threads/index.ts'
import type { Cursor } from '../../fan-out/index.ts'
import { firstPart } from './log-parts.ts'
import type { Conversations } from '../surface-services.ts'

/** A run that a client of AG-UI is to be sent, and which part of it. */
export type StartedRun = {
  readonly run: Run
  readonly view: Json
  readonly after?: Cursor
  /** The entry with which that part ends, where it is known. */
  readonly to?: number
}

/** Who asks whom, and how the answer is to be written. */
export type AgUiRunOptions = {
  readonly userId: string
  readonly agent: string
  readonly protocol: Protocol
  /** What becomes of a message to a conversation in which a run goes on. */
  readonly policy: ThreadPolicy
  /** Where a new message is to end an answer that nobody reads. */
  readonly isUnread?: (run: Run) => Promise<boolean>
}

export type AgUiPorts = Pick<Conversations, 'runs' | 'threads' | 'history' | 'projector'>
type Message = Extract<RunRequest, ChatRequest>

/** Starts the run of a message, or gives that which began under its name. */
export async function startRun(
  request: Message,
  options: AgUiRunOptions,
  ports: AgUiPorts,
  { thread, key }: { readonly thread: Thread | undefined; readonly key?: string },
): Promise<StartedRun> {
  const { turns, message, context, tools, state, secrets, thread: name } = request
  const { userId, agent, policy, protocol, isUnread } = options
  const view = protocol.view(request.view, {})
  const [branch, previousState] = thread
    ? await Promise.all([
        branchOf(message, thread, ports),
        state === undefined ? lastState(thread, ports) : null,
      ])
    : [undefined, null]
  const sharedState = state ?? previousState
  const { run } = await ports.runs.start({
    ...(name !== undefined && { thread: name }),
    turns,
    message,
    context,
    ...(tools && { tools }),
    ...(sharedState !== null && { state: sharedState }),
    ...(secrets !== undefined && { secrets }),
    ...(branch && { branch }),
    userId,
    agent,
    policy,
    ...(isUnread && { isUnread }),
    key: key ?? runKey(agent, '$thread', runNameOf(view)),
    reply: { protocol: protocol.name, view },
  })
  if (run.lastSeq <= 1) return { run, view }
  return { run, view, ...firstPart(await ports.runs.structure(run), protocol) }
}

/** A message that we know, said once more: its client wants another answer to it, or has given it other words. */
async function branchOf(
  { clientId, parts }: ChatRequest['message'],
  thread: Thread,
  { history, projector }: AgUiPorts,
): Promise<ChatRequest['branch']> {
  if (clientId === undefined) return undefined
  await projector.upTo(thread.id)
  const known = await history.find(thread.id, clientId)
  if (known?.message.role !== 'user') return undefined
  return canonicalJson(known.message.parts) === canonicalJson(parts) ? 'again' : 'edit'
}

/** What agent and client shared when the conversation's last run had ended. */
export async function lastState(thread: Thread, { runs }: Pick<AgUiPorts, 'runs'>): Promise<Json> {
  const last = await runs.current(thread.id)
  if (!last) return null
  const entries = last.pruned ? [] : await runs.structure(last)
  return stateOf(
    last,
    entries.map(({ event }) => event),
  )
}

/** The client's name for a run, in its conversation. */
export function runKey(agent: string, threadId: string, name: string): string {
  return `run:${agent}/${threadId}:${name}`
}

export function runNameOf(view: Json): string {
  const name = isJsonObject(view) ? view['runId'] : undefined
  return typeof name === 'string' ? name : ''
}

/** A user's run by its name, if there is one. */
export async function findRun(runs: Runs, userId: string, name: string): Promise<Run | undefined> {
  try {
    return await runs.get(userId, name)
  } catch (error) {
    if (isServiceError(error, 'not-found')) return undefined
    throw error
  }
}
