import { useMutation, useQuery } from '@tanstack/react-query'

import { queryClient } from '../api/queries.ts'
import { request, RequestError } from '../api/request.ts'
import type { MessageKey } from '../i18n/translate.tsx'

export type Token = {
  readonly id: string
  readonly name: string
  readonly user: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

type Totals = { readonly runs: number; readonly inputTokens: number; readonly outputTokens: number }

export type User = Totals & {
  readonly user: string
  readonly tokens: number
  readonly lastRunAt: string | null
}

export type Usage = {
  readonly total: Totals & { readonly toolCalls: number }
  readonly groups: readonly (Totals & { readonly name: string })[]
}

export type Quota = {
  readonly tier: string
  readonly limits: readonly {
    readonly agent?: string
    readonly period: 'hourly' | 'daily' | 'weekly' | 'monthly'
    readonly unit: 'runs' | 'tokens'
    readonly limit: number
    readonly used: number
    readonly resetAt: string
  }[]
  /** In bytes. */
  readonly storage: { readonly used: number; readonly limit: number | null }
}

export type ServerReport = {
  readonly version: string
  readonly node: string
  readonly startedAt: string
  readonly findings: readonly {
    readonly agent: string
    readonly level: 'ok' | 'note' | 'problem'
    readonly text: string
  }[]
}

/** Each kind has a text of its own. */
type LoadKind<Key = MessageKey> = Key extends `operate.load.kind.${infer Kind}` ? Kind : never

export type LoadTotal = {
  readonly kind: LoadKind
  readonly pool: 'users' | 'guests' | 'addresses'
  readonly used: number
  readonly limit: number | null
  readonly refusals: number
}

export type ClusterNode = {
  readonly name: string
  readonly place: string | null
  readonly reportedAt: string
  readonly isAlive: boolean
  readonly runs: number
}

const INTERVAL_MS = 10_000
const OPERATE_KEY = 'operate'

/** What a path returns now, and every ten seconds. Undefined if the user may not see it. */
export function useReport<T>(path: string) {
  const { data, error, refetch } = useQuery({
    queryKey: [OPERATE_KEY, path],
    queryFn: () => request<T>(path),
    refetchInterval: (query) => (isForbidden(query.state.error) ? false : INTERVAL_MS),
  })
  return { data, error: isForbidden(error) ? null : error, isForbidden: isForbidden(error), refetch }
}

function isForbidden(error: Error | null): boolean {
  return error instanceof RequestError && error.status === 403
}

/** Changes something, and loads the reports again. */
export function useOperation<Values, Result>(work: (values: Values) => Promise<Result>) {
  return useMutation({
    mutationFn: work,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: [OPERATE_KEY] }),
  })
}
