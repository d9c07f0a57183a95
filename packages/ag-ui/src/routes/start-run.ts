import { isServiceError } from 'dragoman/errors'
import {
  canonicalJson,
  isJsonObject,
  type ChatRequest,
  type Json,
  type Run,
  type RunSummary,
  type ThreadPolicy,
} from 'dragoman/events'
import type { Protocol, RunRequest } from 'dragoman/protocols'
import { stateOf, type Runs } from 'dragoman/runs'
import type { Thread } from 'dragoman/threads'
import type { Cursor } from 'dragoman/fan-out'
import { rangeAfter } from './log-ranges.ts'
import { startRun, type Conversations } from 'dragoman/surfaces'

/** The run to send to an AG-UI client, and which part of it. */
export type StartedRun = {
  readonly run: Run
  readonly view: Json
  readonly after?: Cursor
  /** The last entry of the part, if it is known. */
  readonly to?: number
  /** The request began it, or gave the answer with which it goes on. */
  readonly isNew?: true
}

/** The user, the agent and the protocol of the response. */
export type AgUiRunOptions = {
  readonly userId: string
  readonly agent: string
  readonly protocol: Protocol
  /** What happens to a message in a thread with a live run. */
  readonly policy: ThreadPolicy
  /** If set, a new message interrupts a run that has no reader. */
  readonly isUnread?: (run: RunSummary) => Promise<boolean>
}

export type AgUiPorts = Pick<Conversations, 'runs' | 'threads' | 'history' | 'projector' | 'requireModel'>
type Message = Extract<RunRequest, ChatRequest>

/** Starts the run of a message, or returns the run that already has its name. */
export async function startNamedRun(
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
  const alias = await freeAlias(userId, runKey(agent, ANY_THREAD, runNameOf(view)), ports)
  const { run, isNew } = await startRun(
    {
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
      ...(alias !== undefined && { alias }),
      reply: { protocol: protocol.name, view },
    },
    ports,
  )
  const started = { run, view, ...(isNew && { isNew }) }
  if (run.lastSeq <= 1) return started
  return { ...started, ...rangeAfter(0, await ports.runs.structure(run), protocol) }
}

/** A client's name of a run is unique in its thread. Most are unique as such, and then find the run alone. */
export const ANY_THREAD = '*'

/** The second name of a run, unless another run has it. */
async function freeAlias(userId: string, name: string, { runs }: AgUiPorts): Promise<string | undefined> {
  return (await findRun(runs, userId, name)) ? undefined : name
}

/** A known message that is sent again asks for another answer, or was edited. */
async function branchOf(
  { clientId, parts }: ChatRequest['message'],
  thread: Thread,
  { history, projector }: AgUiPorts,
): Promise<ChatRequest['branch']> {
  if (clientId === undefined) return undefined
  await projector.upTo(thread.id)
  const stored = await history.find(thread.id, clientId)
  if (stored?.message.role !== 'user') return undefined
  return canonicalJson(stored.message.parts) === canonicalJson(parts) ? 'again' : 'edit'
}

/** The shared state at the end of the thread's last run. */
export async function lastState(thread: Thread, { runs }: Pick<AgUiPorts, 'runs'>): Promise<Json> {
  const last = await runs.current(thread.id)
  if (!last) return null
  const entries = last.pruned ? [] : await runs.structure(last)
  return stateOf(
    last,
    entries.map(({ event }) => event),
  )
}

/** The stored key for the client's name of a run. */
export function runKey(agent: string, threadId: string, name: string): string {
  return `run:${agent}/${threadId}:${name}`
}

export function runNameOf(view: Json): string {
  const name = isJsonObject(view) ? view['runId'] : undefined
  return typeof name === 'string' ? name : ''
}

/** Finds a user's run by its name. */
export async function findRun(runs: Runs, userId: string, name: string): Promise<Run | undefined> {
  try {
    return await runs.get(userId, name)
  } catch (error) {
    if (isServiceError(error, 'not-found')) return undefined
    throw error
  }
}
