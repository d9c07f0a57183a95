import type { OperationInput } from '@dragoman/client/v1'
import { useMutation, useQuery } from '@tanstack/react-query'

import { queryClient } from '../api/queries.ts'
import { client } from '../api/client.ts'

export type ProviderChanges = OperationInput<'PUT /v1/providers/{name}'>['body']

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
    queryFn: () => client.call('GET /v1/providers'),
    enabled,
  })
}

/** Saves something for a provider, or removes all that is saved. */
export function useProviderChange() {
  return useMutation({
    mutationFn: ({ name, changes }: { readonly name: string; readonly changes: ProviderChanges | null }) =>
      changes
        ? client.call('PUT /v1/providers/{name}', { path: { name }, body: changes })
        : client.call('DELETE /v1/providers/{name}', { path: { name } }),
    // Not waited for: the form shows at once that the server has it.
    onSuccess: () => void queryClient.invalidateQueries(),
  })
}
