import { z } from 'zod'

import type { ContextRules } from '../agents/index.ts'
import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { toJson } from '../events/index.ts'
import type { AgentModule, UserData } from './agent-module.ts'

/** Lists of agents wait for `condition`, so its limit is shorter. */
const CONDITION_TIMEOUT_MS = 2000
/** Requests of one agent that wait for its functions. An agent that hangs must leave places to the others. */
const MAX_WAITING_CALLS = 128
const RETRY_AFTER_S = 5

/** Each caller gets them, with the list of agents. */
const MAX_NOTES = 50
const MAX_NOTE_CHARACTERS = 1000
const notes = z
  .array(z.string())
  .transform((all) => all.slice(0, MAX_NOTES).map((note) => note.slice(0, MAX_NOTE_CHARACTERS)))

/** An agent whose condition says nothing is available. */
const conditionAnswer = z
  .object({ available: z.boolean(), notes })
  .nullish()
  .transform((answer) => answer ?? { available: true, notes: [] })
const guardrailAnswer = z.object({ text: z.string() }).nullish()
const lines = z.array(z.string())
const fields = z.record(z.string(), z.json())

type Report = (error: unknown, where: string) => void

/**
 * Limits an agent's own functions that requests wait for, in time and in number, and checks what they return. An
 * error names the agent and the function, and ends the request only. What only describes the agent or a user is
 * reported and left out.
 */
export function guardHooks(module: AgentModule, report: Report): AgentModule {
  const { agent, context: rules, inputGuardrail, condition, skillsUsed, userData } = module
  const call = createHookCaller(agent.id)
  const reportOwn = (error: unknown): void => report(error, agent.id)
  return {
    ...module,
    ...(rules && { context: guardContext(rules, call) }),
    ...(inputGuardrail && {
      inputGuardrail: (message) =>
        call.later(
          'inputGuardrail',
          async () => guardrailAnswer.parse(await inputGuardrail(message)) ?? undefined,
        ),
    }),
    ...(condition && {
      condition: () =>
        call
          .later('condition', async () => conditionAnswer.parse(await condition()), CONDITION_TIMEOUT_MS)
          .catch((error: unknown) => {
            reportOwn(error)
            return { available: false, notes: [sentenceOf(error)] }
          }),
    }),
    ...(skillsUsed && { skillsUsed: (used) => call.now('skillsUsed', () => lines.parse(skillsUsed(used))) }),
    ...(userData?.timeZone && { userData: guardTimeZone(userData, call, reportOwn) }),
  }
}

interface HookCaller {
  now<T>(hook: string, work: () => T): T
  later<T>(hook: string, work: () => Promise<T>, timeoutMs?: number): Promise<T>
}

function createHookCaller(agent: string): HookCaller {
  let waiting = 0
  const failure = (hook: string, cause: unknown): unknown => {
    if (isServiceError(cause, 'timed-out'))
      return new ServiceError('timed-out', `The agent ${agent} does not answer: its ${hook} hangs.`, {
        cause,
      })
    if (isServiceError(cause)) return cause
    return new ServiceError('internal', `The agent ${agent} failed in its ${hook}.`, { cause })
  }
  return {
    now(hook, work) {
      try {
        return work()
      } catch (error) {
        throw failure(hook, error)
      }
    },
    async later(hook, work, timeoutMs = HOOK_TIMEOUT_MS) {
      if (waiting >= MAX_WAITING_CALLS) {
        const sentence = `${waiting} requests already wait for the agent ${agent}.`
        throw new ServiceError('overloaded', sentence, { retryAfter: RETRY_AFTER_S })
      }
      waiting += 1
      try {
        return await withTimeout(new AbortController().signal, timeoutMs, work)
      } catch (error) {
        throw failure(hook, error)
      } finally {
        waiting -= 1
      }
    },
  }
}

function guardContext(rules: ContextRules, call: HookCaller): ContextRules {
  const { resolve, format, metadata } = rules
  return {
    ...rules,
    ...(resolve && {
      resolve: (context, ...about) =>
        call.later('context.resolve', async () => toJson((await resolve(context, ...about)) ?? context)),
    }),
    ...(format && { format: (context) => call.now('context.format', () => lines.parse(format(context))) }),
    ...(metadata && {
      metadata: (context) =>
        call.now('context.metadata', () => fields.parse(toJson(metadata(context) ?? {}))),
    }),
  }
}

/** Without the user's time zone, their day is that of the server. */
function guardTimeZone(userData: UserData, call: HookCaller, report: (error: unknown) => void): UserData {
  return {
    ...userData,
    timeZone: (userId) =>
      call
        .later('userData.timeZone', async () => userData.timeZone?.(userId))
        .catch((error: unknown) => {
          report(error)
          return undefined
        }),
  }
}

function sentenceOf(error: unknown): string {
  return isServiceError(error) ? error.message : 'The agent failed.'
}
