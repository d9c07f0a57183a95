import type { DownloadPlace } from '../safe-fetch/index.ts'
import { joinHolds } from './create-run-load.ts'
import type { LoadAccount } from './load/index.ts'

/**
 * Gives users places for downloads in the account of load. What a download reads is decoded on the event loop, as fast
 * as the other side sends it.
 */
export function createDownloadPlaces(
  load: LoadAccount,
): (userId: string, signal: AbortSignal) => Promise<DownloadPlace> {
  return async (userId, signal) => {
    const share = load.share({ userId })
    return joinHolds(await share.wait('downloads', 1, signal), share.take('bytesRead', 0))
  }
}
