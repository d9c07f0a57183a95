import { useState } from 'react'

export type Action = {
  readonly isBusy: boolean
  /** Why the last one failed, until the next one begins. */
  readonly error: string | undefined
  /** The field that the server has refused. */
  readonly field: string | undefined
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>
}

/** Runs one piece of work at a time and keeps the reason if it fails. `run` resolves to whether it succeeded. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Error>()
  return {
    isBusy,
    error: failure?.message,
    field: fieldOf(failure),
    async run(work) {
      setBusy(true)
      setFailure(undefined)
      try {
        await work()
        return true
      } catch (cause) {
        setFailure(cause instanceof Error ? cause : new Error(String(cause)))
        return false
      } finally {
        setBusy(false)
      }
    },
  }
}

/** An error of the server has the details of its response. */
function fieldOf(
  error: (Error & { readonly details?: { readonly field?: unknown } }) | undefined,
): string | undefined {
  const field = error?.details?.field
  return typeof field === 'string' ? field : undefined
}
