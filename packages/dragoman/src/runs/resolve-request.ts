import { createHash } from 'node:crypto'

import { inputSchemaOf, type Tool } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { canonicalJson, isGuest, type ClientTool, type Json, type UserPart } from '../events/index.ts'
import { acceptFiles } from './accept-files.ts'
import { isElsewhere } from './run-place.ts'
import { inheritedContext, mergeThreadContext, threadDefaults, type Thread } from '../threads/index.ts'
import type { ResolvedAgent, RunsOptions, StartRequest } from './ports.ts'

/** A request as its agent takes it. */
export type ResolvedRequest = StartRequest & {
  /** What the server answers itself: the agent's input guardrail says so. */
  readonly answer?: string
  /** A trace of the context as the client said it, if the agent has made another of it. */
  readonly saidContext?: string
  /** The files of the conversation are at another node, which resolves the context. */
  readonly isUnresolved?: true
  /** The characters that the words of its files may take in a prompt, by an estimate. */
  readonly fileWords?: number
}

/** Whether files that come with a message stay in the log. */
type KeptData = { readonly keepsData?: true }

/**
 * Applies what the agent and the thread say of a request. A context that the agent cannot format is refused before
 * anything is written, and so is a model that the user may not run.
 * @throws ServiceError `invalid-request`, `forbidden`; `storage-full`, `too-large` for its files
 */
export async function resolveRequest(
  start: StartRequest,
  resolved: ResolvedAgent,
  thread: Thread | undefined,
  { place, modelFor, files, keepsData }: Pick<RunsOptions, 'place' | 'modelFor' | 'files'> & KeptData,
): Promise<ResolvedRequest> {
  const conflict = start.tools?.find(({ name }) => resolved.agent.tools.some((tool) => tool.name === name))
  if (conflict) throw new ServiceError('invalid-request', `tools: the agent has its own ${conflict.name}.`)
  if (isBlank(start.message.parts)) throw new ServiceError('invalid-request', 'The message is empty.')
  const request = await guardInput(start, resolved)
  const { userId } = request
  const { context: rules, guestSteps } = resolved
  const mergedContext = mergeThreadContext(thread, request.context)
  const isUnresolved = isElsewhere(resolved, thread, place)
  const resolvedContext = isUnresolved
    ? undefined
    : await rules?.resolve?.(mergedContext, userId, request.message.parts)
  const context = resolvedContext ?? mergedContext
  if (!isUnresolved) rules?.format?.(context)
  // A guest's runs are paid by the owner, so a guest has no choice.
  const model = request.model ?? (thread && !isGuest(userId) ? threadDefaults(thread).model : undefined)
  if (request.answer === undefined && !resolved.ownKey) modelFor?.(resolved.agent, userId, model)
  const saidContext = contextTrace(request)
  const metadata = {
    ...rules?.metadata?.(request.context),
    ...inheritedContext(mergedContext, rules?.inherit),
    ...request.metadata,
  }
  const tools = await withAgentsTools(request.tools, resolved)
  const { message, fileWords } = await acceptFiles(request, files, keepsData)
  return {
    ...request,
    message,
    ...(fileWords > 0 && { fileWords }),
    context,
    ...(tools && { tools }),
    ...(isUnresolved && { isUnresolved }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(saidContext !== contextTrace({ context }) && { saidContext }),
    ...(model !== undefined && { model }),
    ...(isGuest(userId) &&
      guestSteps !== undefined && { maxSteps: Math.min(request.maxSteps ?? guestSteps, guestSteps) }),
  }
}

/** Adds the tools of the agent that the client runs. The client's own tool goes before one of the same name. */
async function withAgentsTools(
  tools: StartRequest['tools'],
  { clientTools }: ResolvedAgent,
): Promise<StartRequest['tools']> {
  if (!clientTools) return tools
  const names = new Set(tools?.map(({ name }) => name))
  const added = clientTools.filter(({ name }) => !names.has(name)).map(toClientTool)
  return [...(tools ?? []), ...(await Promise.all(added))]
}

async function toClientTool(tool: Tool): Promise<ClientTool> {
  const { name, description, client } = tool
  const inputSchema = await inputSchemaOf(tool)
  return { name, description, inputSchema, ...(client?.confirm && { confirm: true }) }
}

/** A request for a run in no conversation. Files that come with it stay in its log, which is soon removed. */
export async function resolveDetachedRequest(
  start: StartRequest,
  resolved: ResolvedAgent,
  options: RunsOptions,
): Promise<ResolvedRequest> {
  return resolveRequest(start, resolved, undefined, { ...options, keepsData: true })
}

/** Providers refuse a text of blanks like an empty one. */
function isBlank(parts: readonly UserPart[]): boolean {
  return parts.length > 0 && parts.every((part) => part.type === 'text' && part.text.trim() === '')
}

/**
 * Adds the answer of the agent's input guardrail, if it gives one. Such a request interrupts a run that goes on in
 * its conversation, whatever its policy says: it must not be refused because a thread is busy.
 */
async function guardInput(
  request: StartRequest,
  { inputGuardrail }: ResolvedAgent,
): Promise<ResolvedRequest> {
  const { userId, context, message } = request
  const found = await inputGuardrail?.({ userId, context, message: message.parts })
  return found ? { ...request, answer: found.text, policy: 'interrupt' } : request
}

/**
 * Identifies a client's context. The agent's version of it may change: a file that it names may have other content by
 * now, and the conversation may work elsewhere.
 */
export function contextTrace({
  context,
  saidContext,
}: {
  readonly context: Json
  readonly saidContext?: string
  /** The files of the conversation are at another node, which resolves the context. */
  readonly isUnresolved?: true
}): string {
  return saidContext ?? createHash('sha256').update(canonicalJson(context)).digest('base64url')
}
