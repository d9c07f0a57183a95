import type { LanguageModelV4 } from '@ai-sdk/provider'

import { modelSettings, type Agent } from 'dragoman/agents'
import type { Config } from 'dragoman/config'
import { configuredModels } from 'dragoman/server'
import type { ModelChoice } from 'dragoman/models'
import { notable, well, wrong, type Finding } from './finding.ts'

const PROBE_MS = 30_000
/** Some providers take no smaller number. */
const PROBE_TOKENS = 16

/** Which model each agent gets, and why. `probe`: asks each of them for a word. */
export async function models(config: Config, agents: readonly Agent[], probe: boolean): Promise<Finding[]> {
  const { choose, choiceFault, warnings } = configuredModels(config)
  const chosen = agents.map((agent) => ({
    agent,
    choice: choose(modelSettings(agent.model)),
    fault: choiceFault(modelSettings(agent.model)),
  }))
  const findings = chosen.map(({ agent, choice: { name, why }, fault }) => {
    if (fault !== undefined) return wrong(`Models: ${agent.id}: model ${fault}`)
    const isMakeshift = name === 'offline' && config.model !== 'offline'
    return (isMakeshift ? notable : well)(`Models: ${agent.id} gets ${name}. ${why}`)
  })
  const told = [...warnings.map((warning) => notable(`Models: ${warning}`)), ...findings]
  if (!probe) return told
  const each = new Map(chosen.map(({ choice }) => [choice.name, choice]))
  return [...told, ...(await Promise.all(Array.from(each.values(), probed)))]
}

async function probed(choice: ModelChoice): Promise<Finding> {
  const begun = performance.now()
  const signal = AbortSignal.timeout(PROBE_MS)
  let { name } = choice
  try {
    const model = await choice.load((speaker) => ({ name } = speaker))
    await firstWord(model, signal)
    const ms = Math.round(performance.now() - begun)
    if (name === choice.name) return well(`Models: ${name} answered after ${ms} ms.`)
    return notable(`Models: ${choice.name} does not answer: ${name} stands in for it, after ${ms} ms.`)
  } catch (error) {
    if (signal.aborted) return wrong(`Models: ${choice.name} did not answer within ${PROBE_MS / 1000} s.`)
    return wrong(`Models: ${choice.failure(error).message}`)
  }
}

/** Waits until the model says something, or has nothing to say. */
async function firstWord(model: LanguageModelV4, abortSignal: AbortSignal): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say OK.' }] }],
    maxOutputTokens: PROBE_TOKENS,
    abortSignal,
  })
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish' || part.type.endsWith('-delta')) return
  }
  throw new Error('The stream has no end.')
}
