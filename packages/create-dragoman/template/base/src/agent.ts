import { defineAgent, defineTool, type AgentModule } from 'dragoman'
import { z } from 'zod'

export const roll = defineTool({
  name: 'roll',
  description: 'Rolls dice and gives what each shows.',
  inputSchema: z.object({
    dice: z.number().int().min(1).max(20).default(1),
    sides: z.number().int().min(2).max(100).default(6),
  }),
  execute: ({ dice: length, sides }) => Array.from({ length }, () => 1 + Math.floor(Math.random() * sides)),
})

export const agent = defineAgent({
  id: 'dice',
  name: 'Dice',
  description: 'Rolls dice',
  instructions: 'You roll dice with your tool. Never make a number up.',
  model: 'anthropic/claude-sonnet-5-5',
  tools: [roll],
})

/** The agent with what the demo model does: it answers until a key is set. */
export const dice: AgentModule<typeof agent.tools> = {
  agent,
  demo: [
    {
      example: { en: 'Roll 2 dice', zh: '掷 2 个骰子' },
      when: /(?:roll|掷)\D*(\d+)?/i,
      call: 'roll',
      input: ([, count = '1']) => ({ dice: Number(count) }),
      say: { en: 'You rolled {text}.', zh: '掷出了 {text}。' },
    },
  ],
}
