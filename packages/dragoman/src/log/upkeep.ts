import { pause } from './pause.ts'
import type { Store } from './store.ts'

/** How often it looks whether there is something to do, in ms. */
const LOOK_MS = 10_000
/** A run that has just ended is still read by those who were behind, and asked for again. */
const REST_MS = 60_000
/** One that stands in no conversation is kept so long after its end, for those who lost its line. */
const ALONE_MS = 600_000
/** Between two pieces of work, in ms: nobody who appends waits longer than for one. */
const BREATH_MS = 20
const DAY_MS = 86_400_000

export type Upkeep = {
  readonly store: Store
  /** Logs are let go of so many days after their runs have ended; 0: never. */
  readonly keepLogs: number
  /** Resolves once what ended runs have said stands in rows: before that no log may go. */
  readonly projected: () => Promise<void>
  /** Whether logs may be let go of by the time that the clock shows. */
  readonly isTrusted: () => Promise<boolean>
  readonly report: (error: unknown, where: string) => void
}

/** Packs the logs of runs that have ended, lets go of old ones, and removes what stood in no conversation, steadily, until `signal` aborts. */
export async function upkeep(
  { store, keepLogs, projected, isTrusted, report }: Upkeep,
  signal: AbortSignal,
): Promise<void> {
  const pieceByPiece = async (work: () => Promise<boolean>): Promise<void> => {
    while (!signal.aborted && (await work())) await pause(BREATH_MS, signal)
  }
  const look = async (): Promise<void> => {
    if (keepLogs > 0 && (await isTrusted())) {
      await projected()
      await pieceByPiece(() => store.prune(Date.now() - keepLogs * DAY_MS))
    }
    await pieceByPiece(() => store.discard(Date.now() - ALONE_MS))
    await pieceByPiece(() => store.pack(Date.now() - REST_MS))
  }
  for (await pause(LOOK_MS, signal); !signal.aborted; await pause(LOOK_MS, signal)) {
    await look().catch((error: unknown) => report(error, 'upkeep'))
  }
}
