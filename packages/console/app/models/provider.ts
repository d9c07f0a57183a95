import { useMutation, useQuery } from '@tanstack/react-query'

import { queryClient } from '../api/queries.ts'
import { request } from '../api/request.ts'

export type Provider = {
  readonly name: string
  readonly ready: boolean
  readonly reason: string
  readonly saved: boolean
  readonly model: string | null
  readonly baseUrl: string | null
  readonly needsKey: boolean
  readonly custom: boolean
  readonly fromEnvironment: boolean
  /** What it offers for chats, if it says so. */
  readonly models?: readonly string[]
  /** Why it says nothing. */
  readonly problem?: string
}

export type ProviderChanges = {
  readonly apiKey?: string
  readonly model?: string
  readonly baseUrl?: string
}

/** The names under which providers are known. */
const NAMES: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  openai: 'OpenAI',
  google: 'Google',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
}

export function titleOf(name: string): string {
  return NAMES[name] ?? name
}

export function useProviders(enabled = true) {
  return useQuery({
    queryKey: ['providers'],
    queryFn: () => request<{ mayChange: boolean; providers: readonly Provider[] }>('/v1/providers'),
    enabled,
  })
}

/** Saves something for a provider, or removes all that is saved. */
export function useProviderChange() {
  return useMutation({
    mutationFn: ({ name, changes }: { readonly name: string; readonly changes: ProviderChanges | null }) =>
      request<undefined>(
        `/v1/providers/${encodeURIComponent(name)}`,
        changes ? { method: 'PUT', body: changes } : { method: 'DELETE' },
      ),
    // Not waited for: the form shows at once that the server has it.
    onSuccess: () => void queryClient.invalidateQueries(),
  })
}
