import { isCancel, select } from '@clack/prompts'

import { printableLine } from '../printable.ts'
import type { Agent } from '@dragoman/client/v1'
import type { Api } from '../remote/api.ts'
import { formatTime } from '../remote/format-time.ts'

const MAX_ITEMS = 12

/** The agents of a server; the user chooses one if there are several. Undefined if the user chooses none. */
export async function chooseAgent(api: Api): Promise<Agent | undefined> {
  const { agents } = await api.call('GET /v1/agents')
  if (agents.length <= 1) return agents[0]
  const chosen = await choose(
    'Which agent?',
    agents.map(({ id, name, description, ready }) => ({
      value: id,
      label: `${name} (${id})`,
      hint: ready ? description : `not ready: ${description}`,
    })),
  )
  return agents.find(({ id }) => id === chosen)
}

/** A model's name; '' for the agent's own. Undefined if the user chooses none. */
export async function chooseModel(api: Api, agent: string | undefined): Promise<string | undefined> {
  const { models } = await api.call('GET /v1/models', { query: { agent } })
  return choose('Which model?', [
    { value: '', label: 'the agent’s own' },
    ...models.map(({ name }) => ({ value: name, label: name })),
  ])
}

/** The id of a thread. Undefined if there is none, or the user chooses none. */
export async function chooseThread(api: Api): Promise<string | undefined> {
  const { threads } = await api.call('GET /v1/threads', { query: { limit: 50 } })
  if (threads.length === 0) return undefined
  return choose(
    'Which thread?',
    threads.map(({ id, title, agent, updatedAt }) => ({
      value: id,
      label: title ?? id,
      hint: `${agent}, ${formatTime(updatedAt)}`,
    })),
  )
}

type Choice = { readonly value: string; readonly label: string; readonly hint?: string }

async function choose(message: string, choices: readonly Choice[]): Promise<string | undefined> {
  const options = choices.map(({ value, label, hint }) => ({
    value,
    label: printableLine(label),
    ...(hint !== undefined && { hint: printableLine(hint) }),
  }))
  const chosen = await select({ message, options, maxItems: MAX_ITEMS })
  return isCancel(chosen) ? undefined : chosen
}
