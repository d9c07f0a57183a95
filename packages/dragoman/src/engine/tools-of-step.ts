import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { EngineJob, StepSettings, ToolChoice } from '../agents/index.ts'

type Request = Pick<LanguageModelV4CallOptions, 'tools' | 'toolChoice'>

/** The tools that the model gets in a step, those of providers in their own words, and which of them it must call. */
export function toolsOfStep(
  tools: Request['tools'],
  { job, settings, isTextOnly }: { job: EngineJob; settings: StepSettings; isTextOnly: boolean },
): Request {
  const ofProviders = new Map(job.tools.map(({ name, provider }) => [name, provider]))
  const active = tools?.filter(({ name }) => settings.activeTools?.includes(name) ?? true)
  const own = active?.map((tool) => {
    const provider = ofProviders.get(tool.name)
    return provider
      ? { type: 'provider' as const, name: tool.name, id: provider.id, args: provider.args }
      : tool
  })
  const choice = isTextOnly ? 'none' : (settings.toolChoice ?? job.agent.toolChoice ?? 'auto')
  return { ...(own && own.length > 0 && { tools: own }), toolChoice: toModelChoice(choice) }
}

function toModelChoice(choice: ToolChoice): NonNullable<Request['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.toolName }
}
