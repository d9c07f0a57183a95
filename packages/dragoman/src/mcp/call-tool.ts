import { setTimeout as pause } from 'node:timers/promises'

import { ServiceError } from '../errors.ts'
import { isJsonObject, type Json } from '../events/index.ts'
import type { Elicit } from './elicitation.ts'
import type { OpenClient } from './open-client.ts'
import { repairRequest, resultOf } from './repair-message.ts'
import type { ListedTool } from './read-tools.ts'
import { isClosed } from './server-errors.ts'

/** Our own signal ends a call: its time stands still while its user is asked. */
const CLIENT_TIMEOUT_MS = 2 ** 31 - 1
/** Answers that one call is asked for, one after the other. */
const MAX_ROUNDS = 20
/** Before a call that its server wants again without an answer. */
const ROUND_PAUSE_MS = 250

/** The result of a call as the server gave it. */
export type RawResult = { readonly [field: string]: unknown }

export type CallOptions = {
  readonly signal: AbortSignal
  readonly onProgress: (update: {
    progress: number
    total?: number | undefined
    message?: string | undefined
  }) => void
  /** Asks the user of the call. */
  readonly elicit: Elicit
}
export type Call = CallOptions & { readonly tool: ListedTool; readonly input: Record<string, unknown> }

/** Calls a tool, and calls it again with the answers of its user as long as the server asks for some. */
export async function callTool(
  { client, takeFault }: OpenClient,
  { tool, input, signal, onProgress, elicit }: Call,
): Promise<RawResult> {
  const { name, inputSchema } = tool
  const options = {
    signal,
    timeout: CLIENT_TIMEOUT_MS,
    onprogress: onProgress,
    // The parameters that are sent in headers too.
    toolDefinition: { name, inputSchema },
    allowInputRequired: true,
  }
  let answers = {}
  for (let round = 1; round <= MAX_ROUNDS; round++) {
    signal.throwIfAborted()
    try {
      const result = await client.callTool({ name, arguments: input, ...answers }, options)
      if (!('resultType' in result)) return resultOf(result)
      answers = await answersTo(result as unknown as InputRequired, elicit)
    } catch (error) {
      throw (isClosed(error) && takeFault()) || error
    }
  }
  throw new ServiceError('tool-failed', `The server asks for more than ${MAX_ROUNDS} answers.`)
}

type InputRequired = {
  readonly inputRequests?: { readonly [key: string]: Json }
  readonly requestState?: string
}

/** What the next call has in addition. */
async function answersTo(
  { inputRequests = {}, requestState }: InputRequired,
  elicit: Elicit,
): Promise<object> {
  const inputResponses: Record<string, unknown> = {}
  for (const [key, request] of Object.entries(inputRequests)) {
    const { method, params } = isJsonObject(request) ? repairRequest(request) : {}
    if (method !== 'elicitation/create' || !isJsonObject(params))
      throw new ServiceError('tool-failed', 'The server asks for something else than answers of the user.')
    inputResponses[key] = await elicit(params as unknown as Parameters<Elicit>[0])
  }
  const isAsked = Object.keys(inputResponses).length > 0
  if (!isAsked) await pause(ROUND_PAUSE_MS)
  return { ...(isAsked && { inputResponses }), ...(requestState !== undefined && { requestState }) }
}
