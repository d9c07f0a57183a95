import { parseDataStreamPart } from 'ai-4-3-19'
import { z } from 'zod'

import type { RunEvent } from '../events/index.ts'

/**
 * Reads a format as its clients do. Throws for frames that are not allowed, and for an incomplete stream if it
 * should be complete.
 */
export type FrameValidator = (frames: readonly string[], whole: boolean) => void

/** One step is open at a time, results follow their calls, and the end is last. It may also come when calls wait. */
export const validateDataStream: FrameValidator = (lines, whole) => {
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
    // The client reads nothing after an error, so an open first step needs no end.
    if (type === 'error') open.delete('step')
  }
  validateEnd(types, { ends: ['finish_message', 'error'], open, whole })
}

const uiChunk = z.looseObject({
  type: z.string(),
  id: z.string().optional(),
  toolCallId: z.string().optional(),
  messageMetadata: z.looseObject({ waiting: z.array(z.string()).optional() }).optional(),
})

/**
 * Parts, calls and steps are opened and closed. The finish is followed only by the last frame. Both may also
 * come when calls wait. The clients check the types of chunks.
 */
export const validateUiMessageStream: FrameValidator = (frames, whole) => {
  const open = new Set<string>()
  const types: string[] = []
  for (const text of frames) {
    const type = text === '[DONE]' ? text : uiStep(open, uiChunk.parse(JSON.parse(text)))
    if ((type === '[DONE]') !== /^(finish|pause)$/.test(types.at(-1) ?? ''))
      throw new Error(`${type} follows ${types.at(-1)}`)
    types.push(type)
  }
  if (types.at(-1) === 'pause') throw new Error('the last word is missing')
  validateEnd(whole ? types.slice(0, -1) : types, { ends: ['finish'], open, whole })
}

function uiStep(
  open: Set<string>,
  { type, id, toolCallId, messageMetadata }: z.infer<typeof uiChunk>,
): string {
  const textMatch = /^(text|reasoning)-(start|delta|end)$/.exec(type)
  if (textMatch?.[2] === 'start') begin(open, `${textMatch[1]} ${id}`)
  if (textMatch?.[2] === 'delta' && !open.has(`${textMatch[1]} ${id}`)) throw new Error(`${id} is not open`)
  if (textMatch?.[2] === 'end') end(open, `${textMatch[1]} ${id}`)
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

const nativeFrame = z.looseObject({ seq: z.int().positive(), at: z.int().positive(), type: z.string() })

/** Each entry is one frame, in order, and the terminal one is last. */
export const validateNative: FrameValidator = (frames, whole) => {
  const frameObjects = frames.map((text) => nativeFrame.parse(JSON.parse(text)))
  for (const [index, { seq }] of frameObjects.entries())
    if (seq !== index + 1) throw new Error(`${seq} stands at ${index + 1}`)
  const ends: RunEvent['type'][] = ['run.finished', 'run.failed', 'run.cancelled']
  validateEnd(
    frameObjects.map(({ type }) => type),
    { ends, open: new Set(), whole },
  )
}

export function begin(open: Set<string>, what: string): void {
  if (open.has(what)) throw new Error(`${what} is open`)
  open.add(what)
}

export function end(open: Set<string>, what: string): void {
  if (!open.delete(what)) throw new Error(`${what} is not open`)
}

export function validateEnd(
  types: readonly string[],
  { ends, open, whole }: { ends: readonly string[]; open: ReadonlySet<string>; whole: boolean },
): void {
  const at = types.findIndex((type) => ends.includes(type))
  if (at !== (whole ? types.length - 1 : -1)) throw new Error(`the end stands at ${at} of ${types.length}`)
  if (whole && open.size > 0) throw new Error(`left open: ${[...open].join(', ')}`)
}
