import type { Notifier } from '../../log/index.ts'

/** Notices within one process. */
export function memoryNotifier(): Notifier {
  const listeners = new Map<string, Set<() => void>>()
  return {
    notify(topic) {
      for (const onNews of listeners.get(topic) ?? []) onNews()
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
