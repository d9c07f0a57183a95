import type { Context } from 'hono'

import { raceAbort, turnBetween } from '../../async/index.ts'
import { ServiceError } from '../../errors.ts'
import { describeJsonError, isJsonObject, type Json } from '../../events/index.ts'
import { createBodyBuffer, LEFT_OUT } from './body-buffer.ts'
import type { HttpEnv } from './http-env.ts'
import { createJsonValueCounter, limitChatValues, MAX_CHAT_VALUES } from './json-value-counter.ts'

/** Of a body in an app that sets no limit of its own (`limits.bodyBytes`). */
const MAX_BODY_BYTES = 4 * 1024 * 1024
/** Of a conversation that a page sends, with the files that are left out. */
const MAX_CHAT_BYTES = 256 * 1024 * 1024
/** Of a body that is read only to know how its refusal is read. */
const MAX_REFUSED_BYTES = 64 * 1024
const REFUSED_BODY_TIMEOUT_MS = 1000
/** Too slow, too large. */
const OF_BODY: ReadonlySet<number> = new Set([408, 413])

/** Reads a JSON body. @throws ServiceError `too-large`, or `invalid-request` with the position of the error */
export async function readJson(c: Context, maxBytes: number = maxBodyBytes(c)): Promise<Json> {
  return parseFor(c, await readBodyText(c, maxBytes))
}

/**
 * Reads the JSON body of a chat. Pages send their whole conversation with each message: if it is larger than a body may
 * be, the files of its earlier messages are left out, which the server has; if it has more values, its oldest messages.
 * @throws ServiceError as `readJson`, also if the newest message itself is too large
 */
export async function readChatJson(c: Context): Promise<Json> {
  const { text, isShortened } = await readChatText(c, maxBodyBytes(c))
  const body = await parseFor(c, text)
  if (isShortened && JSON.stringify(newestOf(body)).includes(LEFT_OUT)) throw tooLargeError(maxBodyBytes(c))
  return body
}

async function parseFor(c: Context, text: string): Promise<Json> {
  await turnBetween(text.length)
  const body = parse(text)
  await turnBetween(text.length)
  c.set('readsErrorText', readsErrorText(body))
  return body
}

/** The request without its earlier messages. */
function newestOf(body: Json | undefined): Json {
  if (body === undefined || !isJsonObject(body)) return null
  const { messages } = body
  if (Array.isArray(messages)) return { ...body, messages: messages.slice(-1) }
  return body['body'] === undefined ? body : newestOf(body['body'])
}

/**
 * Whether the caller shows the body of an error as it is: the chat transports of the AI SDK do so, and only they send
 * a trigger. A program that wants its answer in one piece is none of them.
 */
function readsErrorText(body: Json): boolean {
  if (!isJsonObject(body) || typeof body['trigger'] !== 'string' || !('messages' in body)) return false
  const { options } = body
  return !(options !== undefined && isJsonObject(options) && options['stream'] === false)
}

/**
 * The same for any request, also one that was refused before its body was read, if the body is small and comes soon.
 * One that was refused because of its body is not read.
 */
export async function shouldReplyInText(c: Context<HttpEnv>, status: number): Promise<boolean> {
  if (c.req.method !== 'POST' || (c.req.header('accept') ?? '').includes('json')) return false
  const size = Number(c.req.header('content-length') ?? Infinity)
  if (c.req.raw.bodyUsed || size > MAX_REFUSED_BYTES || OF_BODY.has(status))
    return c.get('readsErrorText') ?? false
  try {
    const text = await raceAbort(c.req.raw.text(), AbortSignal.timeout(REFUSED_BODY_TIMEOUT_MS), () => '')
    return text.includes('"trigger"') && readsErrorText(JSON.parse(text) as Json)
  } catch {
    return false
  }
}

/** Reads a JSON body that may be missing. */
export async function readJsonIfAny(c: Context): Promise<Json | undefined> {
  const text = await readBodyText(c, maxBodyBytes(c))
  return text === '' ? undefined : parse(text)
}

function maxBodyBytes(c: Context): number {
  const limit: unknown = c.get('bodyBytes')
  return typeof limit === 'number' ? limit : MAX_BODY_BYTES
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    throw new ServiceError('invalid-request', `Invalid JSON${describeJsonError(text)}.`, { cause: error })
  }
}

/**
 * Reads a body as text, and counts its bytes and JSON values as they arrive: a content-length may be missing or wrong.
 * @throws ServiceError `too-large`, or `invalid-request` if it is incomplete, not UTF-8, or has too many values
 */
export async function readBodyText(c: Context, maxBytes: number): Promise<string> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLargeError(maxBytes)
  const chunks: Uint8Array[] = []
  const countValues = createJsonValueCounter()
  let size = 0
  for await (const chunk of readChunks(c)) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLargeError(maxBytes)
    countValues(chunk)
    chunks.push(chunk)
  }
  // The request was refused meanwhile as too slow, so it must have no effect.
  if (c.error) throw c.error
  return decodeUtf8(Buffer.concat(chunks))
}

/** The same for a body whose oldest files, or messages, are left out where it is too large. */
async function readChatText(
  c: Context<HttpEnv>,
  maxBytes: number,
): Promise<{ readonly text: string; readonly isShortened: boolean }> {
  if (Number(c.req.header('content-length') ?? 0) > MAX_CHAT_BYTES) throw tooLargeError(maxBytes)
  const progress = c.get('progress')
  const buffer = createBodyBuffer()
  const countValues = createJsonValueCounter(undefined, MAX_CHAT_VALUES)
  let size = 0
  let values = 0
  for await (const chunk of readChunks(c)) {
    size += chunk.byteLength
    values = countValues(chunk)
    buffer.add(chunk)
    while (buffer.bytes > maxBytes) {
      const bytes = buffer.leaveOut()
      if (bytes === 0 || size > MAX_CHAT_BYTES) throw tooLargeError(maxBytes)
      if (progress) progress.isUpload = true
      progress?.addBytes(-bytes)
    }
  }
  if (c.error) throw c.error
  const content = limitChatValues(buffer.content(), values)
  return { text: decodeUtf8(content), isShortened: size > maxBytes }
}

function tooLargeError(maxBytes: number): ServiceError {
  return new ServiceError('too-large', `The body is larger than ${maxBytes} bytes.`)
}

/** Refuses invalid UTF-8. Replacement characters would be stored otherwise. */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body is not UTF-8.', { cause })
  }
}

/** A caller that disconnects while it sends is not an error of the server. */
async function* readChunks(c: Context): AsyncGenerator<Uint8Array, void> {
  try {
    yield* c.req.raw.body ?? []
  } catch (cause) {
    throw new ServiceError('invalid-request', 'The body was cut off.', { cause })
  }
}
