import { createHash, randomBytes } from 'node:crypto'

const SECRET_BYTES = 32

/** A new secret of 256 random bits behind a prefix. */
export function createSecret(prefix: string): string {
  return prefix + randomBytes(SECRET_BYTES).toString('base64url')
}

/** A secret of 256 random bits needs no salt and no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
