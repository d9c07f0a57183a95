import { z } from 'zod'

import {
  begin,
  end,
  validateEnd,
  type FrameValidator,
} from '../../../../../packages/dragoman/src/protocols/frame-validators.fixture.ts'

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

/**
 * The start is first, text is inside a message, each call has one result, an error precedes the end, the end is last.
 */
export const validateAgentEvents: FrameValidator = (frames, whole) => {
  const open = new Set<string>()
  const called = new Set<string>()
  const types: string[] = []
  for (const text of frames) {
    const frame = agentFrame.parse(JSON.parse(text))
    if ((frame.type === 'agent_start') !== (types.length === 0))
      throw new Error('the start is first, and once')
    if (types.at(-1) === 'error' && frame.type !== 'complete') throw new Error(`${frame.type} after an error`)
    if (frame.type === 'thinking_start') begin(open, 'message')
    if (frame.type === 'thinking_end') end(open, 'message')
    if ((frame.type === 'content' || frame.type === 'thinking') && !open.has('message'))
      throw new Error('words outside of a message')
    if (frame.type === 'turn_end' && open.has('message')) throw new Error('a turn ends within a message')
    if (frame.type === 'tool_use') {
      begin(called, frame.toolId)
      begin(open, `${frame.toolName} ${frame.toolId}`)
    }
    if (frame.type === 'tool_update' && !open.has(`${frame.toolName} ${frame.toolId}`))
      throw new Error(`${frame.toolId} is not open`)
    if (frame.type === 'tool_result') end(open, `${frame.toolName} ${frame.toolId}`)
    types.push(frame.type)
  }
  validateEnd(types, { ends: ['complete'], open, whole })
}
