import type { AgentTools } from '../agents/index.ts'
import type { AgentModule } from './agent-module.ts'

/** What is wrong with the form of an agent's demo script. */
export function demoFault({ demo }: AgentModule<AgentTools>): string | undefined {
  if (demo === undefined) return undefined
  if (!Array.isArray(demo)) return 'demo must be a list of exchanges.'
  const invalidIndex = demo.findIndex(({ when }) => {
    const patterns: unknown[] = when instanceof RegExp ? [when] : [when?.en, when?.zh]
    return !patterns.every((pattern) => pattern instanceof RegExp)
  })
  return invalidIndex < 0
    ? undefined
    : `demo[${invalidIndex}].when must be a regular expression, such as /roll/i.`
}

/**
 * The first call of the script that no run can make. A run would leave the step out without a word. Tools that depend
 * on the user, and those of MCP servers, are known to their runs only.
 */
export function demoToolFault({ agent, toolsFor, demo = [] }: AgentModule): string | undefined {
  if (toolsFor || agent.mcp) return undefined
  const names = agent.tools.map(({ name }) => name)
  const steps = demo.flatMap(({ next = [], call }, index) => [
    { place: `demo[${index}]`, call },
    ...next.map((step, at) => ({ place: `demo[${index}].next[${at}]`, call: step.call })),
  ])
  const wrong = steps.find(({ call }) => typeof call === 'string' && !names.includes(call))
  if (!wrong) return undefined
  const remedy = names.length > 0 ? `Use one of ${names.join(', ')}.` : 'It has none: add the tool to tools.'
  return `${wrong.place}.call ${JSON.stringify(wrong.call)} is not a tool of the agent. ${remedy}`
}
