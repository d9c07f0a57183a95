/** Letters that a file's name may have. */
const LONGEST = 80

/** What no system takes in a name, or takes for something else: signs of paths and shells, and those that are not seen. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\/:*?"<>|%]+/gu
/** Names that Windows keeps to itself, whatever they end in. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?$/i

/** The header that has an answer kept as a file: `title` in full for those that can read it (RFC 6266), and a plain name for the others. */
export function fileHeader(title: string, { id, ending }: { id: string; ending: string }): string {
  const [...letters] = title.replaceAll(UNSAFE, ' ').replaceAll(/\s+/g, ' ')
  const name = letters
    .slice(0, LONGEST)
    .join('')
    .replaceAll(/^[.\s]+|[.\s]+$/g, '')
  const full = name === '' || RESERVED.test(name) ? id : name
  // What encodeURIComponent leaves as it is and the header's grammar does not.
  const encoded = encodeURIComponent(`${full}.${ending}`).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${id}.${ending}"; filename*=UTF-8''${encoded}`
}
