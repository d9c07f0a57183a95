import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Keys of 32 bytes: the first seals, and each may open what it has sealed. */
export type SealKeys = readonly [Buffer, ...Buffer[]]

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** Only for the row of this name can it be opened again. */
export function seal(text: string, [key]: SealKeys, name: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(name))
  const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64url')
}

/** Undefined if none of the keys has sealed it for this name. */
export function unseal(sealed: string, keys: readonly Buffer[], name: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  for (const key of keys) {
    const text = openWith(key, bytes, name)
    if (text !== undefined) return text
  }
  return undefined
}

function openWith(key: Buffer, bytes: Buffer, name: string): string | undefined {
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(name)).setAuthTag(tag)
    const content = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES))
    return Buffer.concat([content, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
