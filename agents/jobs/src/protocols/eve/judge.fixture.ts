import { z } from 'zod'

import {
  begin,
  end,
  judgeEnd,
  type Judge,
} from '../../../../../packages/dragoman/src/protocols/judges.fixture.ts'

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
