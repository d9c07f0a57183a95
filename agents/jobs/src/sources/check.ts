import { isServiceError, ServiceError } from 'dragoman/errors'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { boardFor, type BoardPorts } from '../boards/boards.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { openWords } from '../words/search-words.ts'
import { createFilter } from './filter.ts'
import type { BoardSettings, NewSource } from './source.ts'

type Ports = { readonly outward: SafeFetch; readonly mailbox: Mailbox; readonly userId: string }

/**
 * Tries a source.
 * @returns the number of postings that pass its filter, or of a mailbox's alerts
 * @throws ServiceError with the reason why it cannot be read
 */
export async function checkSource(
  { outward, mailbox, userId }: Ports,
  { settings, secret }: Pick<NewSource, 'settings' | 'secret'>,
  signal: AbortSignal,
): Promise<number> {
  try {
    if (settings.kind !== 'mail') return await countMatches({ outward, userId, signal }, settings)
    return await mailbox.check(userId, { account: settings, password: secret ?? '' }, signal)
  } catch (error) {
    // The source does not exist, not the route.
    if (isServiceError(error, 'not-found')) throw new ServiceError('invalid-request', error.message)
    throw error
  }
}

async function countMatches(ports: BoardPorts, settings: BoardSettings): Promise<number> {
  const board = boardFor(settings.kind)
  const passes = createFilter(await openWords(), settings.filter)
  const postings = await Array.fromAsync(board.postings(ports, settings.board), passes)
  if (postings.length > 0) return postings.filter(Boolean).length
  // Some boards have an empty list for a company that they do not know.
  throw new ServiceError(
    'not-found',
    `${board.name} has no open posting of “${settings.board}”. Send check: false to keep it all the same.`,
  )
}
