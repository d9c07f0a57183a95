import { memoryNotifier, type Notifier } from 'dragoman/stores'

/** What this node wants to hear of. */
export type Interest = {
  /** Called for the first listener of a topic. Listeners wait for it. It must not reject. */
  readonly begin: (topic: string) => Promise<void>
  /** Called after the last listener of a topic has left. */
  readonly end: (topic: string) => void
}

/** The listeners on this node. `notify` calls them at once. */
export interface LocalListeners extends Notifier {
  readonly pollIntervalMs: number
  /** Has every listener look at the store: notices may have been lost. */
  wakeAll(): void
}

/** Notices for a node whose connection is lost are lost. */
const POLL_INTERVAL_MS = 2000

type Topic = { listeners: number; readonly beginning: Promise<void> | undefined }

export function createLocalListeners(interest?: Interest): LocalListeners {
  const near = memoryNotifier()
  const topics = new Map<string, Topic>()
  return {
    pollIntervalMs: POLL_INTERVAL_MS,
    notify: near.notify,
    wakeAll() {
      for (const name of topics.keys()) near.notify(name)
    },
    async listen(name, onNews) {
      const unlisten = await near.listen(name, onNews)
      const topic = topics.get(name) ?? { listeners: 0, beginning: interest?.begin(name) }
      topics.set(name, topic)
      topic.listeners += 1
      await topic.beginning
      return async () => {
        await unlisten()
        topic.listeners -= 1
        if (topic.listeners > 0) return
        topics.delete(name)
        interest?.end(name)
      }
    },
    async [Symbol.asyncDispose]() {
      topics.clear()
      await near[Symbol.asyncDispose]()
    },
  }
}
