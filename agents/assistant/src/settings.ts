import { z } from 'zod'

import type { Json } from 'dragoman/events'

export const assistantSettings = z.object({
  mcp: z.json().default(null),
  pageInstructions: z.boolean('must be true or false').default(false).meta({
    flag: 'page-instructions',
    help: 'what a use-ai page prompts is an instruction for the assistant, and not data',
  }),
})

export type AssistantSettings = {
  /** The MCP servers as they are in the file. */
  readonly mcp: Json
  readonly pageInstructions: boolean
}
