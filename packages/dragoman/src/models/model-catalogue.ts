import { listModels, type ModelList } from './list-models.ts'
import { isInstalled } from './provider-packages.ts'
import type { Provider } from './provider.ts'

/** How long a list counts, in ms. */
const LIST_MS = 10 * 60_000
const PROBLEM_MS = 15_000

/** What the providers say that they offer. */
export interface ModelCatalogue {
  /** The list of a provider by its name. Undefined for one that cannot be called. */
  listOf(name: string): Promise<ModelList | undefined>
  /** All models of all providers, as `provider/model`. */
  names(): Promise<readonly string[]>
}

/** Asks a provider when its list is wanted, and remembers the answer for a while. */
export function createModelCatalogue(providers: readonly Provider[]): ModelCatalogue {
  const lists = new Map<string, Promise<ModelList>>()
  const load = async (provider: Provider): Promise<ModelList> => {
    const list = await listModels(provider)
    const forget = (): boolean => lists.delete(provider.name)
    setTimeout(forget, 'models' in list ? LIST_MS : PROBLEM_MS).unref()
    return list
  }
  const ask = (provider: Provider): Promise<ModelList> => {
    const recent = lists.get(provider.name) ?? load(provider)
    lists.set(provider.name, recent)
    return recent
  }
  const usable = providers.filter(
    ({ reachable, endpoint, package: name }) => reachable && endpoint.baseURL !== '' && isInstalled(name),
  )
  return {
    async listOf(name) {
      const provider = usable.find((each) => each.name === name)
      return provider && ask(provider)
    },
    async names() {
      const all = usable.map(async (provider) => {
        const list = await ask(provider)
        return 'models' in list ? list.models.map((model) => `${provider.name}/${model}`) : []
      })
      return (await Promise.all(all)).flat()
    },
  }
}
