import { isJsonObject, parseJson, type Json } from '../events/index.ts'

type JsonObject = { readonly [field: string]: Json }

/** How the messages of a connection are repaired. */
export type Repair = {
  /** Whether the server has answered the first request. */
  readonly isOpen: () => boolean
  /** Called with each part of the first answer that was not as the protocol demands. */
  readonly onFault: (fault: string) => void
  /** The id of the request that a message answers, where a message comes in its response. */
  readonly requestId?: () => string | number | undefined
}

type OnFault = Repair['onFault']

/** The id of `initialize`. That of `server/discover` is a text. */
const FIRST_ID = 0
const INTERNAL_ERROR = -32_603
/** The older versions that the client's library speaks. The last one is assumed of a server that names another one. */
const VERSIONS = ['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']
/** The field of a result that `resultOf` reads. */
const CONTENT = 'dragoman'

/**
 * Puts a server's message into the form that the protocol demands. The client's library passes over a message that is
 * not so, and a request would wait until its time is over; or it refuses all of a result for one odd part.
 */
export function repairMessage(message: Json, repair: Repair): Json {
  if (Array.isArray(message)) return message.map((each) => repairMessage(each, repair))
  if (!isJsonObject(message)) return message
  if (message['method'] !== undefined) return repairRequest(message)
  const { result, error } = message
  // A server that could not read the id of a request answers it without one.
  const id = message['id'] ?? (error ? repair.requestId?.() : undefined)
  if (typeof id !== 'string' && typeof id !== 'number') return message
  if (isJsonObject(error) || typeof error === 'string')
    return { jsonrpc: '2.0', id, error: repairError(error) }
  if (!('result' in message)) return { jsonrpc: '2.0', id, error: repairError('There is no result.') }
  const isFirst = !repair.isOpen()
  // The first question may be that for the version. Its answer has no other form in older versions.
  if (isFirst && Number(id) !== FIRST_ID && !isDiscovery(result)) return message
  const fields = withoutOddMeta(isJsonObject(result) ? result : { content: result ?? null })
  return { jsonrpc: '2.0', id, result: isFirst ? repairFirst(fields, repair.onFault) : wrap(fields) }
}

/** A request or notification of the server. What asks without a form is answered with an empty one. */
export function repairRequest({ params, ...message }: JsonObject): JsonObject {
  if (params === undefined || params === null) return message
  if (message['method'] !== 'elicitation/create' || !isJsonObject(params) || params['mode'] === 'url')
    return { ...message, params }
  const { requestedSchema: form } = params
  const requestedSchema = {
    type: 'object',
    properties: {},
    ...(form !== undefined && isJsonObject(form) && form),
  }
  return { ...message, params: { ...params, requestedSchema } }
}

/** A result as the server gave it, of what the library makes of `repairMessage`. */
export function resultOf(result: object): JsonObject {
  return (result as { readonly [CONTENT]?: JsonObject })[CONTENT] ?? {}
}

export type RpcError = { readonly code: number; readonly message: string; readonly data?: Json }

export function repairError(error: JsonObject | string): RpcError {
  if (typeof error === 'string') return { code: INTERNAL_ERROR, message: error }
  const { code, message, data } = error
  return {
    code: Number.isInteger(code) ? (code as number) : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : JSON.stringify(message ?? error),
    ...(data !== undefined && { data }),
  }
}

function withoutOddMeta({ _meta: meta, ...fields }: JsonObject): JsonObject {
  return { ...fields, ...(meta !== undefined && isJsonObject(meta) && { _meta: meta }) }
}

/** The library finds nothing to refuse in a list of tools and in what a call returns. */
function wrap(result: JsonObject): JsonObject {
  if (result['resultType'] === 'input_required') return result
  return {
    resultType: 'complete',
    tools: [],
    content: [],
    ttlMs: 0,
    cacheScope: 'private',
    [CONTENT]: result,
  }
}

function isDiscovery(result: Json | undefined): boolean {
  return result !== undefined && isJsonObject(result) && Array.isArray(result['supportedVersions'])
}

function repairFirst(result: JsonObject, onFault: OnFault): JsonObject {
  const { protocolVersion, serverInfo } = result
  if (isDiscovery(result)) return { ...result, resultType: 'complete', ...repairOffer(result, onFault) }
  const isSpoken = typeof protocolVersion === 'string' && VERSIONS.includes(protocolVersion)
  if (!isSpoken) onFault(`protocolVersion is ${show(protocolVersion)}, which is not known`)
  if (!isJsonObject(serverInfo)) onFault(`serverInfo is ${show(serverInfo)} and no object`)
  return {
    protocolVersion: isSpoken ? protocolVersion : (VERSIONS.at(-1) ?? ''),
    serverInfo: { name: '', version: '', ...textsOf(isJsonObject(serverInfo) ? serverInfo : {}) },
    ...repairOffer(result, onFault),
  }
}

function repairOffer({ capabilities, instructions }: JsonObject, onFault: OnFault): JsonObject {
  if (!isJsonObject(capabilities)) onFault(`capabilities is ${show(capabilities)} and no object`)
  const isText = typeof instructions === 'string'
  if (instructions !== undefined && !isText) onFault(`instructions is ${show(instructions)} and no text`)
  return { capabilities: repairCapabilities(capabilities), instructions: isText ? instructions : '' }
}

/** A server that says nothing of its tools is asked for them. */
function repairCapabilities(capabilities: Json | undefined): JsonObject {
  const tools = isJsonObject(capabilities) ? (capabilities['tools'] ?? true) : true
  if (tools === false) return {}
  return { tools: isJsonObject(tools) && tools['listChanged'] === true ? { listChanged: true } : {} }
}

function textsOf({ name, version }: JsonObject): JsonObject {
  return { ...(typeof name === 'string' && { name }), ...(typeof version === 'string' && { version }) }
}

function show(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}

/** The id of the request in a body. */
export function idIn(body: unknown): string | number | undefined {
  const message = typeof body === 'string' ? parseJson(body) : undefined
  const id = message && isJsonObject(message) ? message['id'] : undefined
  return typeof id === 'string' || typeof id === 'number' ? id : undefined
}
