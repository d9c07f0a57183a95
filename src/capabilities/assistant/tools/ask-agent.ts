import { z } from 'zod'

import { defineTool, type Machine, type ServerTool } from '../../../agent/index.ts'
import { ServiceError } from '../../../errors.ts'
import { asData } from '../../words/as-data.ts'

/** A task of another agent's may take so long, in ms. */
const WITHIN_MS = 10 * 60_000
const MOST_OF_ANSWER = 30_000

/** Who can be asked, for what, and whether the user must say yes first. */
const AGENTS = {
  jobs: {
    for: 'finds, lists and judges saved job postings, and tailors resumes to them',
    asksFirst: false,
  },
  coding: {
    for: "reads, searches and changes the files of a folder on the server's machine, and runs commands in it",
    asksFirst: true,
  },
} as const

type AgentId = keyof typeof AGENTS

/** Lets the agent have another one do a task. That one sees nothing of this conversation, and has nobody to ask in turn. */
export function askAgent({ delegate, roots }: Pick<Machine, 'delegate' | 'roots'>): ServerTool {
  const known: readonly [AgentId, ...AgentId[]] = roots.length > 0 ? ['jobs', 'coding'] : ['jobs']
  return defineTool({
    name: 'ask_agent',
    description: `Has another agent do a task, and gives its answer. ${known.map((id) => `\`${id}\` ${AGENTS[id].for}.`).join(' ')} It knows nothing of this conversation: say all that it needs in \`task\`.`,
    input: z.object({
      agent: z.enum(known),
      task: z.string().min(1).max(8000),
      folder: z
        .string()
        .max(4096)
        .optional()
        .describe('For coding: the folder to work in, where several are served.'),
    }),
    approval: ({ agent }) => AGENTS[agent].asksFirst,
    timeoutMs: WITHIN_MS,
    execute: async ({ agent, task, folder }, { userId, signal, progress }) => {
      const lines: string[] = []
      const context = agent === 'coding' && folder !== undefined ? { workspaceRoot: folder } : {}
      const tell = (line: string): void => {
        lines.push(line)
        progress({ delta: `${line}\n` })
      }
      const answer = await delegate({ agent, words: task, userId, context, signal, tell })
      if (answer.trim() === '') throw new ServiceError('tool-failed', `${agent} said nothing.`)
      const output = { agent, answer, steps: lines.slice(-100) }
      return { output, text: asData('answer', answer, MOST_OF_ANSWER) }
    },
  })
}
