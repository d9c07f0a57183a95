import { z } from 'zod'

import { defineTool, toolResult, quoteUntrustedBlock, type AgentServices, type Tool } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'

/** A task of another agent's may take so long, in ms. */
const TASK_TIMEOUT_MS = 10 * 60_000
const MAX_ANSWER_LENGTH = 30_000

/** The tool that gives another agent a task, if there is one. That agent sees nothing of this thread. */
export function askAgentTool({ delegate, delegates }: Pick<AgentServices, 'delegate' | 'delegates'>): Tool[] {
  const all = new Map(delegates().map((each) => [each.id, each]))
  const [first, ...others] = all.keys()
  if (first === undefined) return []
  const inFolders = [...all.values()].filter(({ folderField }) => folderField !== undefined)
  const folder = z
    .string()
    .max(4096)
    .optional()
    .describe(
      `For ${inFolders.map(({ id }) => id).join(', ')}: the folder to work in, where several are served.`,
    )
  const tool = defineTool({
    name: 'ask_agent',
    description:
      'Has another agent do a task, and gives its answer. ' +
      `${[...all.values()].map(({ id, description }) => `\`${id}\` ${description}.`).join(' ')} It ` +
      'knows nothing of this conversation: say all that it needs in `task`.',
    inputSchema: z.object({
      agent: z.enum([first, ...others]),
      task: z.string().min(1).max(8000),
      ...(inFolders.length > 0 && { folder }),
    }),
    needsApproval: ({ agent }) => all.get(agent)?.needsApproval ?? true,
    timeoutMs: TASK_TIMEOUT_MS,
    execute: async ({ agent, task, folder: path }, { userId, signal, progress }) => {
      const lines: string[] = []
      const field = all.get(agent)?.folderField
      const context = field !== undefined && typeof path === 'string' ? { [field]: path } : {}
      const tell = (line: string): void => {
        lines.push(line)
        progress({ delta: `${line}\n` })
      }
      const answer = await delegate({ agent, prompt: task, userId, context, signal, onProgress: tell })
      if (answer.trim() === '') throw new ServiceError('tool-failed', `${agent} said nothing.`)
      const output = { agent, answer, steps: lines.slice(-100) }
      return toolResult({ output, text: quoteUntrustedBlock('answer', answer, MAX_ANSWER_LENGTH) })
    },
  })
  return [tool]
}
