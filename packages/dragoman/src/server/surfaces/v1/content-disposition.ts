/** In characters. */
const MAX_NAME_LENGTH = 80

/** Characters that file systems or shells refuse or interpret, and invisible ones. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|%]+/gu
/** Names that Windows reserves, with any extension. */
const RESERVED_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i

/**
 * A `content-disposition` header for a download. It has the full title for clients that support RFC 6266, and a plain
 * name for others.
 */
export function contentDisposition(title: string, { id, ending }: { id: string; ending: string }): string {
  const [...letters] = title.replaceAll(UNSAFE_CHARACTERS, ' ').replaceAll(/\s+/g, ' ')
  const name = letters
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replaceAll(/^[.\s]+|(?<![.\s])[.\s]+$/g, '')
  const full = name === '' || RESERVED_NAMES.test(name) ? id : name
  // Characters that encodeURIComponent keeps but the header's grammar does not allow.
  const encoded = encodeURIComponent(`${full}.${ending}`).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${id}.${ending}"; filename*=UTF-8''${encoded}`
}
