import type { SurfaceServices } from 'dragoman/surfaces'
import { readContext } from '../context.ts'

type ResolvedAgent = Awaited<ReturnType<SurfaceServices['resolveForCaller']>>

/** The agent with the system prompt that the agent chat documents, before its own. */
export function withDocumentedPrompt(resolved: ResolvedAgent): ResolvedAgent {
  const { instructions, runInstructions } = resolved.agent
  return {
    ...resolved,
    agent: {
      ...resolved.agent,
      instructions: '',
      async runInstructions(input) {
        const { workspaceRoot = '' } = readContext(input.context)
        const own = await runInstructions?.(input)
        return [documentedPrompt(workspaceRoot), instructions, own].filter(Boolean).join('\n\n')
      },
    },
  }
}

function documentedPrompt(folder: string): string {
  return `You are an AI coding assistant working in the directory: ${folder}

You have access to tools for reading/writing files, executing shell commands,
searching code, and more. Use these tools to help the user with their
coding tasks.

Guidelines:
- Always read files before modifying them
- Explain what you're doing before taking actions
- Show file changes clearly
- Report errors clearly if they occur

Current working directory: ${folder}
Operating system: ${process.platform}`
}
