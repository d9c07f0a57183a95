import { coalesce } from './coalesce.ts'

/** As `coalesce`, for each key apart. */
export function coalesceByKey(act: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const active = new Map<string, { readonly call: () => Promise<void>; calls: number }>()
  return async (key) => {
    const entry = active.get(key) ?? { call: coalesce(() => act(key)), calls: 0 }
    active.set(key, entry)
    entry.calls += 1
    try {
      await entry.call()
    } finally {
      entry.calls -= 1
      if (entry.calls === 0) active.delete(key)
    }
  }
}
