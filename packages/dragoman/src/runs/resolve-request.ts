import { createHash } from 'node:crypto'

import { ServiceError } from '../errors.ts'
import { canonicalJson, isGuest, type Json, type UserPart } from '../events/index.ts'
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
}

/**
 * Applies what the agent and the thread say of a request. A context that the agent cannot format is refused before
 * anything is written, and so is a model that the user may not run.
 * @throws ServiceError `invalid-request`, `forbidden`
 */
export async function resolveRequest(
  start: StartRequest,
  resolved: ResolvedAgent,
  thread: Thread | undefined,
  { place, modelFor }: Pick<RunsOptions, 'place' | 'modelFor'>,
): Promise<ResolvedRequest> {
  const conflict = start.tools?.find(({ name }) => resolved.agent.tools.some((tool) => tool.name === name))
  if (conflict) throw new ServiceError('invalid-request', `tools: the agent has its own ${conflict.name}.`)
  if (isBlank(start.message.parts)) throw new ServiceError('invalid-request', 'The message is empty.')
  const request = await guardInput(start, resolved)
  const { userId, message } = request
  const { context: rules, guestSteps } = resolved
  const mergedContext = mergeThreadContext(thread, request.context)
  const isUnresolved = isElsewhere(resolved, thread, place)
  const resolvedContext = isUnresolved
    ? undefined
    : await rules?.resolve?.(mergedContext, userId, message.parts)
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
  return {
    ...request,
    context,
    ...(isUnresolved && { isUnresolved }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(saidContext !== contextTrace({ context }) && { saidContext }),
    ...(model !== undefined && { model }),
    ...(isGuest(userId) &&
      guestSteps !== undefined && { maxSteps: Math.min(request.maxSteps ?? guestSteps, guestSteps) }),
  }
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
