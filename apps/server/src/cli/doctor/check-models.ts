import type { LanguageModelV4 } from '@ai-sdk/provider'

import { modelSettings, type Agent } from 'dragoman/agents'
import type { Config } from 'dragoman/config'
import { configuredModels } from 'dragoman/server'
import { NO_MODEL, type ModelChoice } from 'dragoman/models'
import { loadSavedVariables } from './load-saved-variables.ts'
import { note, ok, problem, type Finding } from './finding.ts'

const PROBE_TIMEOUT_MS = 30_000
/** Some providers accept no smaller number. */
const MAX_PROBE_TOKENS = 16

/** Which model each agent gets, and why. `probe` sends each model a short request. */
export async function checkModels(
  config: Config,
  agents: readonly Agent[],
  probe: boolean,
): Promise<Finding[]> {
  const { saved, unread } = await loadSavedVariables(config)
  const { choose, choiceFault, warnings } = configuredModels(config, saved)
  const choices = agents.map(({ id, model }) => ({ id, settings: modelSettings(model) }))
  const chosen = choices.map(({ id, settings }) => ({
    id,
    choice: choose(settings),
    fault: choiceFault(settings),
  }))
  const findings = [
    ...(unread === undefined ? [] : [note(`Models: ${unread}`)]),
    ...(saved.closed === undefined ? [] : [problem(`Models: ${saved.closed}`)]),
    ...warnings.map((warning) => note(`Models: ${warning}`)),
    ...chosen.map(({ id, choice: { name, why }, fault }) => {
      if (name === NO_MODEL) return problem(`Models: ${id} gets no model, and is refused.`)
      if (fault !== undefined) return problem(`Models: ${id}: model ${fault}`)
      const lacksKey = name === 'offline' && config.model !== 'offline'
      return (lacksKey ? note : ok)(`Models: ${id} gets ${name}. ${why}`)
    }),
  ]
  if (!probe) return findings
  const distinct = new Map(chosen.map(({ choice }) => [choice.name, choice]))
  return [...findings, ...(await Promise.all(Array.from(distinct.values(), probeModel)))]
}

async function probeModel(choice: ModelChoice): Promise<Finding> {
  const begin = performance.now()
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
  let { name } = choice
  try {
    const model = await choice.load((info) => ({ name } = info))
    await waitForAnswer(model, signal)
    const ms = Math.round(performance.now() - begin)
    if (name === choice.name) return ok(`Models: ${name} answered after ${ms} ms.`)
    return note(`Models: ${choice.name} does not answer. Its fallback ${name} answered after ${ms} ms.`)
  } catch (error) {
    if (signal.aborted)
      return problem(`Models: ${choice.name} did not answer within ${PROBE_TIMEOUT_MS / 1000} s.`)
    return problem(`Models: ${choice.failure(error).message}`)
  }
}

/** Waits for the first token, or for the end of an empty answer. */
async function waitForAnswer(model: LanguageModelV4, abortSignal: AbortSignal): Promise<void> {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Say OK.' }] }],
    maxOutputTokens: MAX_PROBE_TOKENS,
    abortSignal,
  })
  for await (const part of stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'finish' || part.type.endsWith('-delta')) return
  }
  throw new Error('The stream ended without a finish.')
}
