import type { Notifier, OnNews } from '../../log/index.ts'

/** Notices within one process. */
export function memoryNotifier(): Notifier {
  const listeners = new Map<string, Set<OnNews>>()
  return {
    notify(topic, entries) {
      for (const onNews of listeners.get(topic) ?? []) onNews(entries)
    },
    async listen(topic, onNews) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set.add(onNews))
      return async () => {
        set.delete(onNews)
        if (set.size === 0 && listeners.get(topic) === set) listeners.delete(topic)
      }
    },
    async [Symbol.asyncDispose]() {
      listeners.clear()
    },
  }
}
