import type { AgentOptions } from '@earendil-works/pi-agent-core'

import { ServiceError } from 'dragoman/errors'

/**
 * The hooks of a pi agent, as pi defines them. See {@link piEngine} for what the log records of their effects.
 *
 * @example
 * const hooks: PiHooks = {
 *   beforeToolCall: async ({ toolCall }) =>
 *     toolCall.name === 'delete_file' ? { block: true, reason: 'Files are kept.' } : undefined,
 * }
 */
export type PiHooks = Pick<
  AgentOptions,
  'transformContext' | 'convertToLlm' | 'beforeToolCall' | 'afterToolCall'
>

const NAMES = ['transformContext', 'convertToLlm', 'beforeToolCall', 'afterToolCall'] as const

/** Gives the hooks that are set. @throws ServiceError `invalid-request` for a field that is none of pi's hooks */
export function checkHooks(hooks: PiHooks): PiHooks {
  const unknown = Object.keys(hooks).find((name) => !(NAMES as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new ServiceError(
      'invalid-request',
      `piEngine: ${unknown} is not known. Use ${NAMES.join(', ')}. Tools and the model belong to the agent.`,
    )
  return Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined))
}
