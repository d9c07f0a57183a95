/** What a setting says of a provider's key: the key, or that its host needs none. */
export type ProviderKey = { readonly key: string | undefined; readonly isKeyless: boolean }

/** `none` in place of a key says that the host needs none. */
export function readKey(value: string | undefined): ProviderKey {
  const isKeyless = value?.toLowerCase() === 'none'
  return { key: isKeyless ? undefined : value, isKeyless }
}

/**
 * Whether prompts may be sent to an address. Without a key, they leave for another host only if the owner says that
 * it needs none: an address that was set by mistake would get all that users write.
 */
export function mayReceivePrompts({ key, isKeyless }: ProviderKey, baseURL: string): boolean {
  return key !== undefined || isKeyless || LOOPBACK_HOST.test(new URL(baseURL).hostname)
}

/** `URL` has made all spellings of an IPv4 address one. */
const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/
