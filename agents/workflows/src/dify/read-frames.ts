import { z } from 'zod'

import { findJsonExcess, parseJson } from 'dragoman/events'

const node = z.object({
  node_id: z.string(),
  title: z.string().default(''),
  status: z.string().optional(),
})
const finished = z.object({
  status: z.string(),
  outputs: z.record(z.string(), z.json()).nullish(),
  error: z.string().nullish(),
  total_tokens: z.unknown().optional(),
})
/** A wrong count must not cost the frame. */
const usage = z.object({ prompt_tokens: z.unknown().optional(), completion_tokens: z.unknown().optional() })

const task = { task_id: z.string().optional() }
const frame = z.discriminatedUnion('event', [
  z.object({ event: z.enum(['node_started', 'node_finished']), ...task, data: node }),
  z.object({ event: z.literal('text_chunk'), ...task, data: z.object({ text: z.string() }) }),
  z.object({ event: z.enum(['message', 'agent_message']), ...task, answer: z.string() }),
  z.object({ event: z.literal('workflow_finished'), ...task, data: finished }),
  z.object({
    event: z.literal('message_end'),
    ...task,
    metadata: z.object({ usage: usage.optional().catch(undefined) }).optional(),
  }),
  z.object({
    event: z.literal('error'),
    ...task,
    status: z.number().optional(),
    message: z.string().default(''),
  }),
])

/** What Dify says, as far as we have use for it. */
export type Frame = z.infer<typeof frame> | { readonly event: 'other'; readonly task_id?: string | undefined }

const other = z.object({ event: z.string(), ...task })

/** What a `data:` line says: nothing where it is not of Dify's. */
function frameOf(line: string): Frame | undefined {
  if (!line.startsWith('data:')) return undefined
  if (findJsonExcess(line)) throw new RangeError('A line of the workflow has too many values.')
  const data = parseJson(line.slice('data:'.length))
  const read = frame.safeParse(data)
  if (read.success) return read.data
  const rest = other.safeParse(data)
  return rest.success ? { event: 'other', task_id: rest.data.task_id } : undefined
}

/** A frame longer than so many letters is none of Dify's. */
const MAX_FRAME_LENGTH = 8 * 1024 * 1024

/** The frames of a body that comes in pieces, wherever these are cut. @throws RangeError for one without end */
export async function* framesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_FRAME_LENGTH) throw new RangeError('A line of the workflow is too long.')
    yield* lines.flatMap((line) => frameOf(line.trimEnd()) ?? [])
  }
  const last = frameOf(rest.trimEnd())
  if (last) yield last
}
