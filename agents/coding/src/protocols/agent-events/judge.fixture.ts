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

/** The start is first, words come within a message, each call has one result, an error comes right before the end, and the end is last. */
export const agentEventsJudge: FrameValidator = (frames, whole) => {
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
  validateEnd(types, { ends: ['complete'], open, whole })
}
