import { claudeAliases } from './built-in.ts'
import type { ModelsFile } from './models-file.ts'
import type { Environment, Provider } from './provider.ts'

/** What a model's name means: a provider and a model of its, the built-in model, or nothing that we know. */
export type Meaning =
  | { readonly provider: Provider; readonly modelId: string | undefined }
  | 'offline'
  | undefined

/** Reads names: `offline`, a short name, `provider`, `provider:model` or `provider:short-name`. */
export function nameReader(
  providers: readonly Provider[],
  file: ModelsFile,
  env: Environment,
): (name: string) => Meaning {
  const known = new Map(providers.map((provider) => [provider.name, provider]))
  const fullNames = new Map<string, { readonly provider: string; readonly modelId: string }>()
  for (const [short, modelId] of claudeAliases(env)) fullNames.set(short, { provider: 'anthropic', modelId })
  for (const [short, { provider, model_name: modelId }] of Object.entries(file.models)) {
    fullNames.set(short, { provider, modelId })
  }

  return (name) => {
    if (name === 'offline') return 'offline'
    const short = fullNames.get(name)
    const [, said = '', rest] = /^([^:]+)(?::(.+))?$/s.exec(name) ?? []
    const provider = known.get(short?.provider ?? said)
    if (!provider) return undefined
    const ofIts = short ?? fullNames.get(rest ?? '')
    const modelId = ofIts?.provider === provider.name ? ofIts.modelId : rest
    return { provider, modelId: modelId ?? provider.defaultModel }
  }
}
