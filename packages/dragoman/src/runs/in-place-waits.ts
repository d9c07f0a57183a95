import type { Reply, ToolCalls } from './tool-calls.ts'

/** An answer that came in time may still be on its way from the log. */
const ANSWER_GRACE_MS = 500

/** The waits for people in a run that is not suspended meanwhile. */
export interface InPlaceWaits {
  /** Waits for the reply to the question of a call, which stays at work. `expired` once its time is over. */
  replyTo(callId: string, expiresAt: number): Promise<Reply | undefined>
  /** How long at least one call has waited, in ms. */
  readonly ms: number
}

export function createInPlaceWaits(calls: ToolCalls): InPlaceWaits {
  let waiting = 0
  let since = 0
  let before = 0
  const elapsed = (): number => before + (waiting > 0 ? performance.now() - since : 0)
  const add = (change: 1 | -1): void => {
    before = elapsed()
    since = performance.now()
    waiting += change
  }
  return {
    async replyTo(callId, expiresAt) {
      const expire = (): void => calls.reply(callId, 'expired')
      const timer = setTimeout(expire, expiresAt + ANSWER_GRACE_MS - Date.now())
      add(1)
      try {
        return await calls.atWork(() => calls.replyTo(callId))
      } finally {
        add(-1)
        clearTimeout(timer)
      }
    },
    get ms() {
      return elapsed()
    },
  }
}
