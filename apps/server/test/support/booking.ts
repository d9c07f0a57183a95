import { z } from 'zod'

import { defineTool } from 'dragoman/agents'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'

/** A tool that needs an approval. */
export const book = defineTool({
  name: 'book',
  description: 'Books a table.',
  inputSchema: z.object({ people: z.number() }),
  needsApproval: true,
  execute: async ({ people }) => `Booked for ${people}.`,
})

/** Asks the model for a booking, and then says that it is over. */
export const booking = () => [step(calls('c1', 'book', { people: 4 })), step(says('That is it.'))]
