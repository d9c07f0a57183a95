import { useState } from 'react'

export type Action = {
  readonly isBusy: boolean
  /** Why the last one failed, until the next one begins. */
  readonly error: string | undefined
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

/** Runs one piece of work at a time and keeps the reason if it fails. `run` resolves to whether it succeeded. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  return {
    isBusy,
    error,
    async run(work) {
      setBusy(true)
      setError(undefined)
      try {
        await work()
        return true
      } catch (cause) {
        setError(cause instanceof Error ? cause.message : String(cause))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}
