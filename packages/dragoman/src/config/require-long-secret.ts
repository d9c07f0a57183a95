import { ServiceError } from '../errors.ts'

const MIN_SECRET_LENGTH = 16

/** What it seals can be opened by anyone who guesses it. @throws ServiceError `invalid-request` */
export function requireLongSecret(secret: string | undefined): void {
  if (secret === undefined || secret.trim().length >= MIN_SECRET_LENGTH) return
  throw new ServiceError(
    'invalid-request',
    `DRAGOMAN_SECRET must have at least ${MIN_SECRET_LENGTH} characters: take one of \`openssl rand -hex 32\`.`,
  )
}
