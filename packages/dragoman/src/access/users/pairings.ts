import { randomInt } from 'node:crypto'

import { ServiceError } from '../../errors.ts'
import { hashSecret } from './secrets.ts'
import type { Token, Tokens } from './tokens.ts'

/** Letters and digits that a person does not mix up. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8
const LIFETIME_MS = 5 * 60_000
/** So many codes are valid at a time. A new one ends the oldest, so that no forgotten code keeps the owner waiting. */
const MAX_CODES = 3
/** After so many wrong codes, all codes end, so guessing fails. */
const MAX_WRONG = 5

export type PairingCode = { readonly code: string; readonly expiresInSeconds: number }

/**
 * Codes by which clients without a token get one. The owner sees a code, and gives it to the client. A code is valid
 * for five minutes, and once. Only this process knows it.
 */
export interface Pairings {
  /** Makes a code for a client. */
  begin(client: string): PairingCode
  /** Exchanges a code for a token of the owner. @throws ServiceError `unauthorized` */
  redeem(code: string): Promise<{ readonly token: Token; readonly secret: string }>
}

type Pending = { readonly client: string; readonly expiresAt: number }

export function createPairings(tokens: Pick<Tokens, 'create'>, now: () => number = Date.now): Pairings {
  /** By the hash of the code. */
  const pending = new Map<string, Pending>()
  let wrongCodes = 0
  const removeExpired = (): void => {
    for (const [hash, { expiresAt }] of pending) if (expiresAt <= now()) pending.delete(hash)
  }
  return {
    begin(client) {
      removeExpired()
      if (pending.size === 0) wrongCodes = 0
      const [oldest] = pending.keys()
      if (oldest !== undefined && pending.size >= MAX_CODES) pending.delete(oldest)
      const code = createCode()
      pending.set(hashSecret(normalize(code)), { client, expiresAt: now() + LIFETIME_MS })
      return { code, expiresInSeconds: LIFETIME_MS / 1000 }
    },
    async redeem(code) {
      removeExpired()
      const hash = hashSecret(normalize(code))
      const found = pending.get(hash)
      if (!found) {
        wrongCodes += 1
        if (wrongCodes >= MAX_WRONG) pending.clear()
        throw new ServiceError(
          'unauthorized',
          'This code is not valid, or it has expired. Ask for another one.',
        )
      }
      // Before anything is awaited: a code counts once.
      pending.delete(hash)
      return tokens.create({ name: `${found.client} ${createCode()}` })
    },
  }
}

/** `ABCD-2345`. */
function createCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)] ?? '')
  return `${letters.slice(0, CODE_LENGTH / 2).join('')}-${letters.slice(CODE_LENGTH / 2).join('')}`
}

/** People write it in small letters, and without the line. */
function normalize(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z\d]/g, '')
}
