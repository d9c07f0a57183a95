import { z } from 'zod'

import { defineTool, toolResult, quoteUntrustedBlock, type Tool } from 'dragoman/agents'
import type { Json } from 'dragoman/events'

const value = z.unknown().refine((input) => input !== undefined, 'is required')
const path = z.string().describe('A JSON pointer, as /todos/0/done. /todos/- is behind the last.')
const operation = z.discriminatedUnion('op', [
  z.object({ op: z.enum(['add', 'replace', 'test']), path, value }),
  z.object({ op: z.literal('remove'), path }),
  z.object({ op: z.enum(['move', 'copy']), from: path, path }),
])

/** Lets the agent change what it shares with the application. */
export const updateStateTool: Tool = defineTool({
  name: 'update_state',
  description:
    'Changes the state that you share with the application, by a JSON Patch (RFC 6902): all of its ' +
    'operations hold, or none. Returns the whole state as it is then.',
  inputSchema: z.object({ patch: z.array(operation).min(1).max(100) }),
  execute: async ({ patch }, { state }) => {
    const next: Json = state.change(patch as Parameters<typeof state.change>[0])
    return toolResult({
      output: next,
      text: quoteUntrustedBlock('shared-state', JSON.stringify(next), Number.POSITIVE_INFINITY),
    })
  },
})
