import { ServiceError } from '../../errors.ts'

/** `code` is undefined if the user or the authorization server has refused. */
export type Redirect = {
  readonly state: string
  readonly code: string | undefined
  readonly issuer: string | undefined
}

/**
 * Reads the address that an authorization server has sent a user back to, or its query alone.
 * @throws ServiceError `invalid-request` for an address without a state
 */
export function readRedirect(address: string): Redirect {
  const query = URL.parse(address)?.searchParams ?? new URLSearchParams(address)
  const state = query.get('state')
  if (state === null || state === '')
    throw new ServiceError(
      'invalid-request',
      'url must be the whole address that the browser was sent back to, with state and code.',
    )
  return { state, code: query.get('code') ?? undefined, issuer: query.get('iss') ?? undefined }
}
