import type { userTables } from './tables.ts'

const RECORD_USE_INTERVAL_MS = 60_000

/** Collects the credentials that are used, until their use is recorded. */
export function createUseLog(record: (ids: readonly string[]) => Promise<void>) {
  const ids = new Set<string>()
  return {
    add: (id: string) => void ids.add(id),
    async flush() {
      const recent = [...ids]
      ids.clear()
      if (recent.length > 0) await record(recent)
    },
  }
}

/** A row is written at most once a minute: if its latest use was recorded before this time. */
export function recordBefore(now: number): string {
  return new Date(now - RECORD_USE_INTERVAL_MS).toISOString()
}

/** Records that tokens are used at a time. */
export async function recordTokenUse(
  tables: Pick<ReturnType<typeof userTables>, 'updateTable'>,
  ids: readonly string[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return
  await tables
    .updateTable('auth_tokens')
    .set({ last_used_at: new Date(now).toISOString() })
    .where('id', 'in', ids)
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', recordBefore(now))]))
    .execute()
}

/** Those of the ids with this prefix that are not valid any more. */
export async function findInvalid(
  ids: readonly string[],
  prefix: string,
  readValid: (candidates: readonly string[]) => Promise<readonly { readonly id: string }[]>,
): Promise<string[]> {
  const candidates = ids.filter((id) => id.startsWith(prefix))
  if (candidates.length === 0) return []
  const valid = new Set((await readValid(candidates)).map(({ id }) => id))
  return candidates.filter((id) => !valid.has(id))
}
