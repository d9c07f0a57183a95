/** Letters that a file's name may have. */
const MAX_NAME_LENGTH = 80

/** What no system takes in a name, or takes for something else: signs of paths and shells, and those that are not seen. */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|%]+/gu
/** Names that Windows keeps to itself, whatever they end in. */
const RESERVED_NAMES = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i

/** The header that has an answer kept as a file: `title` in full for those that can read it (RFC 6266), and a plain name for the others. */
export function contentDisposition(title: string, { id, ending }: { id: string; ending: string }): string {
  const [...letters] = title.replaceAll(UNSAFE_CHARACTERS, ' ').replaceAll(/\s+/g, ' ')
  const name = letters
    .slice(0, MAX_NAME_LENGTH)
    .join('')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  const full = name === '' || RESERVED_NAMES.test(name) ? id : name
  // What encodeURIComponent leaves as it is and the header's grammar does not.
  const encoded = encodeURIComponent(`${full}.${ending}`).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${id}.${ending}"; filename*=UTF-8''${encoded}`
}
