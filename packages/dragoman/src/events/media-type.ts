/** The first bytes of the types that models and browsers take, as Latin-1. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[^]{4}WEBP/, 'image/webp'],
  [/^[^]{4}ftypavi[fs]/, 'image/avif'],
  [/^%PDF-/, 'application/pdf'],
  [/^RIFF[^]{4}WAVE/, 'audio/wav'],
  [/^(?:ID3|\xff[\xf2\xf3\xfb])/, 'audio/mpeg'],
  [/^fLaC/, 'audio/flac'],
]

/** A full media type, `image/png`, without parameters. */
const FULL_TYPE = /^[\w.+-]+\/[\w.+-]+$/

const UNKNOWN = 'application/octet-stream'
/** So much of a file shows whether it is a text. */
const TEXT_BYTES = 4096

/**
 * Types that hold whatever a file reads as: of texts, pictures and sounds. Others are declared of texts by mistake:
 * browsers take TypeScript for a film.
 */
const TRUSTED_TYPE = /^(?:text|image|audio)\/|[/+](?:json|xml|yaml|x-yaml|x-ndjson)$/

/**
 * The media type of a file: by its first bytes if they say one, else as it is declared. What reads as a text is one,
 * unless it is declared as a picture or a sound.
 */
export function mediaTypeOf(content: Uint8Array, declared = ''): string {
  const start = String.fromCharCode(...content.subarray(0, 16))
  const byContent = SIGNATURES.find(([signature]) => signature.test(start))?.[1]
  if (byContent !== undefined) return byContent
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const declaredType = FULL_TYPE.test(type) ? type : UNKNOWN
  if (TRUSTED_TYPE.test(declaredType)) return declaredType
  return isText(content.subarray(0, TEXT_BYTES)) ? 'text/plain' : declaredType
}

/** Browsers know no type of most source files. */
function isText(start: Uint8Array): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return text !== '' && !/[^\P{Cc}\t\n\r\f]/u.test(text)
  } catch {
    return false
  }
}
