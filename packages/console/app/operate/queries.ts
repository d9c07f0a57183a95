import type { OperationResult } from '@dragoman/client/v1'
import { useMutation, useQuery } from '@tanstack/react-query'

import { queryClient } from '../api/queries.ts'
import { RequestError } from '../api/request.ts'
import type { MessageKey } from '../i18n/translate.tsx'

export type Usage = OperationResult<'GET /v1/usage'>
export type Quota = OperationResult<'GET /v1/quota'>

/** Each kind has a text of its own. */
export type LoadKind<Key = MessageKey> = Key extends `operate.load.kind.${infer Kind}` ? Kind : never

const INTERVAL_MS = 10_000
const OPERATE_KEY = 'operate'

/** What the server says now, and every ten seconds. Undefined if the user may not see it. */
export function useReport<Report>(name: string, load: () => Promise<Report>) {
  const { data, error, refetch } = useQuery({
    queryKey: [OPERATE_KEY, name],
    queryFn: load,
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
