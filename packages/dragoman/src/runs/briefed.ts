import { modelSettings } from '../agents/index.ts'
import { withTimeout } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import type { Json, Message, Run, UserPart } from '../events/index.ts'
import type { History, StoredMessage } from '../threads/index.ts'
import type { Staff } from './claimed.ts'
import { failing } from './nobody.ts'
import { PREPARE_TIMEOUT_MS, toolsInTime } from './in-time.ts'
import type { Past } from './past.ts'
import { stateOf } from './shared-state.ts'

/** Turns of a conversation that a model is given, at most. */
const TURNS = 200

type Asked = {
  readonly run: Run
  readonly past: Past | undefined
  readonly secrets: Json
  /** Aborts once the process closes or the run is to stop: what the agent is told does not matter then. */
  readonly signal: AbortSignal
  readonly report: (error: unknown) => void
}

/** The conversation, and who is to answer it, as they are when an attempt begins. */
export async function toldTo(
  asked: Asked,
  staff: Staff,
  history: History,
): Promise<{ readonly staff: Staff; readonly history: readonly Message[] }> {
  try {
    return { staff: await briefed(staff, asked), history: await conversation(history, asked.run, staff) }
  } catch (error) {
    // A busy file is asked again. What cannot be read now may never be, and must not hold its thread for ever.
    if (isServiceError(error, 'unavailable')) throw error
    return { staff: { ...staff, engine: failing(error) }, history: [] }
  }
}

/**
 * What the agent is told of the surroundings stands among the system's words; a model that was asked for comes before the agent's own; and
 * what it may do in this run alone comes after what it always may.
 */
async function briefed(staff: Staff, { run, past, secrets, signal, report }: Asked): Promise<Staff> {
  const { request, userId } = run
  const { briefing, instructions, model, maxSteps } = staff.agent
  if (!briefing && !staff.toolsFor && request.model === undefined && request.maxSteps === undefined)
    return staff
  const { context } = request
  const state = stateOf(run, past?.events ?? [])
  const shared = state === null ? {} : { state }
  const whose = { userId, conversation: run.threadId, context }
  const asked = { ...whose, secrets, ...shared, signal }
  const found = staff.toolsFor && (await toolsInTime(staff.toolsFor, asked, report))
  const taken = new Set([...staff.agent.tools, ...request.tools].map(({ name }) => name))
  const tools = [...staff.agent.tools, ...(found?.tools ?? []).filter(({ name }) => !taken.has(name))]
  const ofPage = request.tools.map(({ name }) => name)
  const names = [...tools.map(({ name }) => name), ...ofPage]
  const words =
    briefing &&
    (await withTimeout(signal, PREPARE_TIMEOUT_MS, () =>
      briefing({ ...whose, said: request.input, tools: names, ofPage, ...shared }),
    ))
  return {
    ...staff,
    agent: {
      ...staff.agent,
      tools,
      instructions: [instructions, words, ...(found?.notes ?? [])].filter(Boolean).join('\n\n'),
      ...(request.model !== undefined && { model: { ...modelSettings(model), primary: request.model } }),
      ...(request.maxSteps !== undefined && { maxSteps: Math.min(maxSteps, request.maxSteps) }),
    },
  }
}

/** What the model is given: the path to the user's message, which the client's surroundings stand before. */
async function conversation(
  history: History,
  run: Run,
  { agent, context: rules }: Staff,
): Promise<Message[]> {
  const { request, parentId } = run
  const before = parentId === undefined ? [] : await turnsBefore(history, { ...run, parentId }, agent)
  const lines = rules?.format?.(request.context) ?? []
  const context: UserPart[] = lines.length > 0 ? [{ type: 'text', text: lines.join('\n') }] : []
  const said: Message = { role: 'user', id: request.messageId, parts: [...context, ...request.input] }
  return [...before.map(({ message }) => message), ...(request.history ?? []), said]
}

/** Those that the agent has room for: the newest, and the first where they do not reach back to it. */
async function turnsBefore(
  history: History,
  { threadId, parentId: leaf, request }: Run & { readonly parentId: string },
  { window }: Staff['agent'],
): Promise<readonly StoredMessage[]> {
  const limit = window?.(request.context) ?? TURNS
  const latest = await history.path(threadId, { leaf, limit })
  if (!window || latest.length < limit || latest[0]?.row.parent_id === null) return latest
  const first = await history.root(threadId, leaf)
  return first ? [first, ...latest] : latest
}
