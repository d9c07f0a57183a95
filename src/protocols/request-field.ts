import { z } from 'zod'

/** Fields that requests of several formats have, under one name and with one meaning. */
export const context = z
  .json()
  .describe('What the client says of its surroundings; the agent is told it beside the user’s words.')
export const showThinking = z.boolean().describe('false: without reasoning.')
export const stream = z.boolean().describe('false: the whole answer at once, as JSON.')
export const conversationId = z
  .string()
  .describe('Goes on with a conversation, by our id (conv_…) or the client’s name; a new name begins one.')
