import { z } from 'zod'

import { createTierLookup } from '../access/quota/index.ts'
import { modelSettings, type Agent, type ModelSettings } from '../agents/index.ts'
import type { Config } from '../config/config.ts'
import { isServiceError, ServiceError } from '../errors.ts'
import { LOCAL_USER, isGuest } from '../events/index.ts'
import { readSection } from '../home-files/index.ts'
import {
  createModelFilter,
  isConfigured,
  modelListFault,
  toFullName,
  type FindFullName,
  type ModelChoice,
  type ModelFilter,
  type Models,
} from '../models/index.ts'
import type { AgentModule } from '../modules/index.ts'

/** Which models a user may run. The owner of the server may run any. */
export interface ModelAccess {
  /**
   * Checks a model that a caller names, before anything is written.
   * @throws ServiceError `forbidden` for a model that the user may not run, and for any of a guest;
   * `invalid-request` for one that cannot be reached
   */
  requireModel(named: { readonly userId: string; readonly agent: string; readonly model: string }): void
  /**
   * The settings of an agent's model for a user, with another model if one is named.
   * @throws ServiceError `forbidden` if the user may run no such model
   */
  settingsFor(agent: Agent, userId: string, model?: string): ModelSettings & RestrictedSettings
  /** The model that answers a user who names none: to show it. If the user may run none, it is the agent's own. */
  modelOf(agent: Agent, userId: string): ModelChoice
  /** The usual models that a user can choose, by full name: for an agent, if one is named. */
  list(userId: string, agent?: string): readonly string[]
  /** The same, with those that providers list and the user may run. */
  listAll(userId: string, agent?: string): Promise<readonly string[]>
}

type RestrictedSettings = { readonly filter?: ModelFilter; readonly isRequested?: boolean }

type AccessOptions = {
  readonly models: Models
  readonly modules: readonly Pick<AgentModule, 'agent'>[]
  readonly sections: Pick<Config['sections'], 'models' | 'quotas'>
}

const list = z.array(z.string()).min(1)
const sectionSchema = z.strictObject({
  allowed: list.optional(),
  tiers: z.record(z.string(), z.strictObject({ allowed: list })).optional(),
})

/** @throws ServiceError `invalid-request` for a mistake in any list */
export function createModelAccess({ models, modules, sections }: AccessOptions): ModelAccess {
  const agents = new Map(modules.map(({ agent }) => [agent.id, agent]))
  const findFullName: FindFullName = isConfigured(models)
    ? (name) => toFullName(models.resolveName(name))
    : (name) => name
  const defaults = defaultModels(models, [...agents.values()])
  const lists = readLists(sections, [...agents.values()], findFullName)
  const own = (name: string): string | undefined =>
    defaults.objects.includes(name) ? name : findFullName(name)
  /** `limits` are the lists that are set for a user. */
  const filterFor = (limits: readonly (readonly string[])[]): ModelFilter =>
    createModelFilter(lists.ofServer ? limits : [defaults.names(), ...limits], own)
  const settingsFor: ModelAccess['settingsFor'] = (agent, userId, model) => {
    const settings = modelSettings(agent.model)
    const chosen = model === undefined ? settings : { ...settings, primary: model, isRequested: true }
    const limits = lists.of(userId, agent)
    const isRestricted = model === undefined ? limits.length > 0 && drivesModel(agent) : true
    if (userId === LOCAL_USER || !isRestricted) return chosen
    const filter = filterFor(limits)
    const named = model === undefined ? undefined : findNamed(model, chosen)
    if (named !== undefined && !filter.allows(named)) throw filter.refusal(named)
    if (limits.length === 0) return chosen
    const { name } = models.choose({ ...chosen, filter })
    if (!filter.allows(name)) throw filter.refusal(name)
    return { ...chosen, filter }
  }
  /** The full name of the model that a caller names, unless another one answers in its place. */
  const findNamed = (model: string, settings: ModelSettings): string | undefined => {
    const fullName = findFullName(model)
    const answers = !isConfigured(models) || models.choose(settings).name === fullName
    return answers ? fullName : undefined
  }
  return {
    settingsFor,
    modelOf(agent, userId) {
      try {
        return models.choose(settingsFor(agent, userId))
      } catch (error) {
        if (!isServiceError(error, 'forbidden')) throw error
        return models.choose(modelSettings(agent.model))
      }
    },
    requireModel({ userId, agent: id, model }) {
      if (isGuest(userId)) throw new ServiceError('forbidden', 'model: guests cannot choose a model.')
      models.requireReachable?.(model)
      const agent = agents.get(id)
      if (agent) settingsFor(agent, userId, model)
    },
    ...modelLists({
      models,
      defaults,
      findFullName,
      filterFor,
      limitsOf: (userId, id = '') => lists.of(userId, agents.get(id)),
    }),
  }
}

type ListPorts = {
  readonly models: Models
  readonly defaults: ReturnType<typeof defaultModels>
  readonly findFullName: FindFullName
  readonly filterFor: (limits: readonly (readonly string[])[]) => ModelFilter
  readonly limitsOf: (userId: string, agent?: string) => readonly (readonly string[])[]
}

function modelLists({ models, defaults, findFullName, filterFor, limitsOf }: ListPorts) {
  /** The usual models and some others, as far as a user may run them. */
  const allowedOf = (userId: string, agent: string | undefined, others: readonly string[]) => {
    const limits = limitsOf(userId, agent)
    const names = models.selectable?.([...defaults.names(), ...limits.flat()]) ?? []
    const all = [...new Set([...names, ...others])]
    if (userId === LOCAL_USER) return all
    const filter = filterFor(limits)
    return all.filter((name) => filter.allows(findFullName(name) ?? name))
  }
  return {
    list: (userId: string, agent?: string) => allowedOf(userId, agent, []),
    async listAll(userId: string, agent?: string) {
      // Who may run only the usual models need not wait for providers.
      const isOpen =
        userId === LOCAL_USER ||
        limitsOf(userId, agent)
          .flat()
          .some((entry) => entry.endsWith('*'))
      const offered = isOpen && isConfigured(models) ? await models.catalogue.names() : []
      return allowedOf(userId, agent, offered)
    },
  }
}

/** Whether an agent uses the server's models, as far as the server knows: an own engine may use none. */
export function drivesModel({ engine }: Agent): boolean {
  return typeof engine === 'string' || 'create' in engine
}

/** The agents' own models, and those that are configured. */
function defaultModels(models: Models, agents: readonly Agent[]) {
  const references = agents.flatMap(({ model }) => {
    const { primary, fallback } = modelSettings(model)
    return [primary, fallback].filter((each) => each !== undefined)
  })
  const objects = references.flatMap((each) =>
    typeof each === 'string' ? [] : [`${each.provider}:${each.modelId}`],
  )
  const texts = references.filter((each) => typeof each === 'string')
  return {
    /** By full name: no text means them. */
    objects,
    /** They change when a key is saved. */
    names: () => [
      ...texts,
      ...objects,
      ...(isConfigured(models) ? models.configuredNames() : (models.selectable?.() ?? [])),
    ],
  }
}

function readLists(
  { models: section, quotas }: AccessOptions['sections'],
  agents: readonly Agent[],
  findFullName: FindFullName,
) {
  const { allowed, tiers = {} } = readSection('models', section, sectionSchema) ?? {}
  const lookup = createTierLookup(quotas, LOCAL_USER)
  const check = (place: string, entries: unknown): void => {
    const fault = entries === undefined ? undefined : modelListFault(entries, findFullName)
    if (fault !== undefined) throw new ServiceError('invalid-request', `${place}${fault}.`)
  }
  check('config.yaml: models.allowed', allowed)
  for (const [tier, { allowed: entries }] of Object.entries(tiers)) {
    if (!lookup.tiers.includes(tier))
      throw new ServiceError(
        'invalid-request',
        `config.yaml: models.tiers.${tier} is no tier. Use one of ${lookup.tiers.join(', ')}.`,
      )
    check(`config.yaml: models.tiers.${tier}.allowed`, entries)
  }
  for (const { id, models: limits } of agents)
    check(`Agent ${JSON.stringify(id)}: models.allowed`, limits?.allowed)
  return {
    ofServer: allowed,
    of: (userId: string, agent: Agent | undefined): readonly (readonly string[])[] =>
      [allowed, agent?.models?.allowed, tiers[lookup.tierOf(userId)]?.allowed].filter(
        (each) => each !== undefined,
      ),
  }
}
