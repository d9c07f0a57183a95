import { isServiceError, ServiceError } from 'dragoman/errors'
import type { SafeFetch } from 'dragoman/safe-fetch'
import { boardFor } from '../boards/boards.ts'
import type { Mailbox } from '../mail/mailbox.ts'
import { openWords } from '../words/search-words.ts'
import { passing } from './filter.ts'
import type { BoardSettings, Settings } from './source.ts'

type Ports = { readonly outward: SafeFetch; readonly mailbox: Mailbox }
type Tried = { readonly settings: Settings; readonly secret: string | null }

/**
 * Tries a source. @returns how many postings, or alerts of a mailbox, it has for its user now. @throws ServiceError
 * that says what is wrong
 */
export async function check(
  { outward, mailbox }: Ports,
  { settings, secret }: Tried,
  signal: AbortSignal,
): Promise<number> {
  try {
    if (settings.kind !== 'mail') return await checkBoard(outward, settings, signal)
    return await mailbox.check({ account: settings, password: secret ?? '' }, signal)
  } catch (error) {
    // What is not there is what was asked for, not the route.
    if (isServiceError(error, 'not-found')) throw new ServiceError('invalid-request', error.message)
    throw error
  }
}

async function checkBoard(outward: SafeFetch, settings: BoardSettings, signal: AbortSignal): Promise<number> {
  const board = boardFor(settings.kind)
  const passes = passing(await openWords(), settings.filter)
  let open = 0
  let matches = 0
  for await (const posting of board.postings({ outward, signal }, settings.board)) {
    open += 1
    if (passes(posting)) matches += 1
  }
  if (open === 0) {
    // Some say the same of a company that they do not know.
    throw new ServiceError(
      'not-found',
      `${board.name} has no open posting of “${settings.board}”. Send check: false to keep it all the same.`,
    )
  }
  return matches
}
