import { inputSchemaOf, usableTools, type AgentTools, type Tool, type ToolResolver } from '../agents/index.ts'
import { isServiceError } from '../errors.ts'

/** A tool of one run that cannot be used costs no other tool: a note says why it is missing. */
export function normalizeToolsFor(toolsFor: ToolResolver<AgentTools>): ToolResolver {
  return async (scope) => {
    const { tools, notes, ...rest } = await toolsFor(scope)
    const { usable, faults } = usableTools(tools)
    const schemas = await Promise.allSettled(usable.map(inputSchemaOf))
    const rejections = schemas.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
    const ofClient = usable.filter(({ client }) => client).map(clientToolNote)
    return {
      ...rest,
      tools: usable.filter(({ client }, index) => !client && schemas[index]?.status === 'fulfilled'),
      notes: [...notes, ...[...faults, ...rejections].map(faultNote), ...ofClient],
    }
  }
}

function clientToolNote({ name }: Tool): string {
  return `Tool ${JSON.stringify(name)}: execute is missing. A tool that the client runs belongs to the agent itself.`
}

function faultNote(fault: unknown): string {
  return isServiceError(fault) ? fault.message : 'One of your tools cannot be used.'
}
