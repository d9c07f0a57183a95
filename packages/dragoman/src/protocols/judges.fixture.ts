import { parseDataStreamPart } from 'ai-4-3-19'
import { z } from 'zod'

import type { RunEvent } from '../events/index.ts'

/** What reads a format as its clients do: it throws where frames are not allowed, or are not those of a whole run though they should be. */
export type Judge = (frames: readonly string[], whole: boolean) => void

/** The frames that the surface documents, with exactly these fields. */
const blockId = (kind: string) => z.string().regex(new RegExp(`^${kind}_[\\w-]{8}$`))
export const eveFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('start'), messageId: z.string().startsWith('msg_') }),
  z.strictObject({ type: z.literal('reasoning-start'), id: blockId('reasoning') }),
  z.strictObject({ type: z.literal('reasoning-delta'), id: blockId('reasoning'), delta: z.string() }),
  z.strictObject({ type: z.literal('reasoning-end'), id: blockId('reasoning') }),
  z.strictObject({ type: z.literal('text-start'), id: blockId('text') }),
  z.strictObject({ type: z.literal('text-delta'), id: blockId('text'), delta: z.string() }),
  z.strictObject({ type: z.literal('text-end'), id: blockId('text') }),
  z.strictObject({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    args: z.json(),
  }),
  z.strictObject({
    type: z.literal('tool-call-delta'),
    toolCallId: z.string(),
    status: z.literal('running'),
    progress: z
      .strictObject({ current: z.number(), total: z.number(), message: z.string() })
      .partial()
      .optional(),
  }),
  z.strictObject({ type: z.literal('tool-result'), toolCallId: z.string(), result: z.string() }),
  z.strictObject({ type: z.literal('error'), error: z.string() }),
  z.strictObject({
    type: z.literal('finish'),
    finishReason: z.enum(['stop', 'tool-calls', 'length', 'content-filter', 'error']),
    usage: z.strictObject({ promptTokens: z.number(), completionTokens: z.number() }),
  }),
])

/** Blocks are opened, filled and closed, one at a time; results follow their calls; the finish is last, and else only comes where calls wait. */
export const eveJudge: Judge = (frames, whole) => {
  const open = new Set<string>()
  const types: string[] = []
  let block: string | undefined
  for (const text of frames) {
    const said = eveFrame.parse(JSON.parse(text))
    if (said.type === 'text-start' || said.type === 'reasoning-start') {
      if (block !== undefined) throw new Error(`${said.id} opens within ${block}`)
      block = said.id
    } else if ('id' in said) {
      if (block !== said.id) throw new Error(`${said.id} is not open`)
      if (said.type.endsWith('-end')) block = undefined
    }
    if (said.type === 'tool-call') begin(open, said.toolCallId)
    if (said.type === 'tool-result') end(open, said.toolCallId)
    const pauses = said.type === 'finish' && said.finishReason === 'tool-calls' && open.size > 0
    types.push(pauses ? 'pause' : said.type)
  }
  if (block !== undefined) open.add(block)
  judgeEnd(types, { ends: ['finish'], open, whole })
}

/** Steps are begun and finished one at a time, results follow their calls, and the end is last, and else only comes where calls wait. */
export const dataStreamJudge: Judge = (lines, whole) => {
  const open = new Set<string>()
  const types: string[] = []
  for (const line of lines) {
    const { type, value } = parseDataStreamPart(line)
    types.push(type === 'finish_message' && open.size > 0 && !open.has('step') ? 'pause' : type)
    if (type === 'start_step') begin(open, 'step')
    if (type === 'finish_step') end(open, 'step')
    if (type === 'tool_call_streaming_start') begin(open, value.toolCallId)
    if (type === 'tool_call') open.add(value.toolCallId)
    if (type === 'tool_result') end(open, value.toolCallId)
    // The client hears nothing more: what it began before the first step needs no end.
    if (type === 'error') open.delete('step')
  }
  judgeEnd(types, { ends: ['finish_message', 'error'], open, whole })
}

const uiChunk = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  toolCallId: z.string().optional(),
  messageMetadata: z.looseObject({ waiting: z.array(z.string()).optional() }).optional(),
})

/**
 * Parts, calls and steps are opened and closed; the finish is last but for the last word, and else only comes where calls wait, with that word
 * after it. Which chunks there are, the clients judge.
 */
export const uiMessageStreamJudge: Judge = (frames, whole) => {
  const open = new Set<string>()
  const types: string[] = []
  for (const text of frames) {
    const type = text === '[DONE]' ? text : uiStep(open, uiChunk.parse(JSON.parse(text)))
    if ((type === '[DONE]') !== /^(finish|pause)$/.test(types.at(-1) ?? ''))
      throw new Error(`${type} follows ${types.at(-1)}`)
    types.push(type)
  }
  if (types.at(-1) === 'pause') throw new Error('the last word is missing')
  judgeEnd(whole ? types.slice(0, -1) : types, { ends: ['finish'], open, whole })
}

function uiStep(
  open: Set<string>,
  { type, id, toolCallId, messageMetadata }: z.infer<typeof uiChunk>,
): string {
  const spoken = /^(text|reasoning)-(start|delta|end)$/.exec(type)
  if (spoken?.[2] === 'start') begin(open, `${spoken[1]} ${id}`)
  if (spoken?.[2] === 'delta' && !open.has(`${spoken[1]} ${id}`)) throw new Error(`${id} is not open`)
  if (spoken?.[2] === 'end') end(open, `${spoken[1]} ${id}`)
  if (type === 'start-step') begin(open, 'step')
  if (type === 'finish-step') end(open, 'step')
  if (type === 'tool-input-start' || type === 'tool-input-available') open.add(`call ${toolCallId}`)
  if (type.startsWith('tool-output')) end(open, `call ${toolCallId}`)
  if (type === 'tool-approval-request' && !open.has(`call ${toolCallId}`))
    throw new Error(`${toolCallId} is not open`)
  const waiting = messageMetadata?.waiting ?? []
  if (type !== 'finish' || waiting.length === 0) return type
  if (waiting.some((callId) => !open.has(`call ${callId}`)) || open.has('step'))
    throw new Error('it waits for no call, or within a step')
  return 'pause'
}

const tool = { toolId: z.string(), toolName: z.string() }
const content = z.union([z.string(), z.array(z.looseObject({ type: z.enum(['text', 'image', 'file']) }))])
/** The frames that the agent chat documents, with exactly these fields. */
const agentFrame = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['agent_start', 'thinking_start', 'thinking_end', 'turn_end']) }),
  z.strictObject({ type: z.enum(['content', 'thinking']), content: z.string() }),
  z.strictObject({ type: z.literal('tool_use'), ...tool, toolInput: z.json() }),
  z.strictObject({ type: z.literal('tool_update'), ...tool, content: z.string() }),
  z.strictObject({ type: z.literal('tool_result'), ...tool, content: z.string(), isError: z.boolean() }),
  z.strictObject({
    type: z.literal('error'),
    error: z.string(),
    message: z.string(),
    code: z.string(),
  }),
  z.strictObject({
    type: z.literal('complete'),
    messages: z.array(
      z.discriminatedUnion('role', [
        z.strictObject({ role: z.literal('user'), content }),
        z.strictObject({ role: z.literal('assistant'), content: z.string() }),
        z.strictObject({
          role: z.literal('tool'),
          content: z.string(),
          toolName: z.string(),
          toolInput: z.json(),
          toolId: z.string(),
          isError: z.literal(true).optional(),
        }),
      ]),
    ),
    usage: z.looseObject({ inputTokens: z.number(), outputTokens: z.number() }),
    finishReason: z.string().optional(),
    stopped: z.literal(true).optional(),
  }),
])

/** The start is first, words come within a message, each call has one result, an error comes right before the end, and the end is last. */
export const agentEventsJudge: Judge = (frames, whole) => {
  const open = new Set<string>()
  const called = new Set<string>()
  const types: string[] = []
  for (const text of frames) {
    const said = agentFrame.parse(JSON.parse(text))
    if ((said.type === 'agent_start') !== (types.length === 0))
      throw new Error('the start is first, and once')
    if (types.at(-1) === 'error' && said.type !== 'complete') throw new Error(`${said.type} after an error`)
    if (said.type === 'thinking_start') begin(open, 'message')
    if (said.type === 'thinking_end') end(open, 'message')
    if ((said.type === 'content' || said.type === 'thinking') && !open.has('message'))
      throw new Error('words outside of a message')
    if (said.type === 'turn_end' && open.has('message')) throw new Error('a turn ends within a message')
    if (said.type === 'tool_use') {
      begin(called, said.toolId)
      begin(open, `${said.toolName} ${said.toolId}`)
    }
    if (said.type === 'tool_update' && !open.has(`${said.toolName} ${said.toolId}`))
      throw new Error(`${said.toolId} is not open`)
    if (said.type === 'tool_result') end(open, `${said.toolName} ${said.toolId}`)
    types.push(said.type)
  }
  judgeEnd(types, { ends: ['complete'], open, whole })
}

const nativeFrame = z.looseObject({ seq: z.int().positive(), at: z.int().positive(), type: z.string() })

/** Each entry is one frame, in order, and the terminal one is last. */
export const nativeJudge: Judge = (frames, whole) => {
  const said = frames.map((text) => nativeFrame.parse(JSON.parse(text)))
  for (const [index, { seq }] of said.entries())
    if (seq !== index + 1) throw new Error(`${seq} stands at ${index + 1}`)
  const ends: RunEvent['type'][] = ['run.finished', 'run.failed', 'run.cancelled']
  judgeEnd(
    said.map(({ type }) => type),
    { ends, open: new Set(), whole },
  )
}

function begin(open: Set<string>, what: string): void {
  if (open.has(what)) throw new Error(`${what} is open`)
  open.add(what)
}

function end(open: Set<string>, what: string): void {
  if (!open.delete(what)) throw new Error(`${what} is not open`)
}

function judgeEnd(
  types: readonly string[],
  { ends, open, whole }: { ends: readonly string[]; open: ReadonlySet<string>; whole: boolean },
): void {
  const at = types.findIndex((type) => ends.includes(type))
  if (at !== (whole ? types.length - 1 : -1)) throw new Error(`the end stands at ${at} of ${types.length}`)
  if (whole && open.size > 0) throw new Error(`left open: ${[...open].join(', ')}`)
}
