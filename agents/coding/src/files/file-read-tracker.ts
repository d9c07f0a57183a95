/** What each run last saw of a file, so that none overwrites what it does not know. */
export interface FileReadTracker {
  record(runId: string, path: string, stamp: string): void
  /** Undefined: it has not read the file, or we do not know any more. Then it reads it again. */
  stampFor(runId: string, path: string): string | undefined
}

/** Files of runs that are remembered. */
const MAX_STAMPS = 20_000

export function createFileReadTracker(most = MAX_STAMPS): FileReadTracker {
  const stamps = new Map<string, string>()
  const keyOf = (runId: string, path: string): string => `${runId}\0${path}`
  return {
    record(runId, path, stamp) {
      const key = keyOf(runId, path)
      stamps.delete(key)
      stamps.set(key, stamp)
      const [oldest] = stamps.keys()
      if (stamps.size > most && oldest !== undefined) stamps.delete(oldest)
    },
    stampFor: (runId, path) => stamps.get(keyOf(runId, path)),
  }
}
