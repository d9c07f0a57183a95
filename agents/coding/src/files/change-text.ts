import { ServiceError } from 'dragoman/errors'
import { encode, survivesEncoding, type Encoding } from '../workspace/encoding.ts'
import { shortPath } from '../workspace/file-error.ts'
import { decodeText, formatSize, MAX_TEXT_BYTES } from '../workspace/read-text.ts'
import { lineEndingOf, withEnding } from './line-endings.ts'
import { NeedsIsolation } from './needs-isolation.ts'
import { replaceText, type Replacement } from './replace-text.ts'
import { countLines, unifiedDiff, type UnifiedDiff } from './unified-diff.ts'

/** What a text is to become: another one, or itself with something replaced. */
export type TextChange = WholeText | Omit<Replacement, 'displayPath'>

type WholeText = {
  readonly content: string
  /** Whether lines that end in LF alone get the file's CRLF. */
  readonly keepsEnding: boolean
}

type NewText = { readonly bytes: Uint8Array; readonly lines: number }

type CreateRequest = { readonly displayPath: string; readonly content: string }

/** The bytes of a new file. @throws ServiceError `too-large`, `invalid-input` for halves of characters */
export function createText({ displayPath, content }: CreateRequest): NewText {
  const encoding: Encoding = content.startsWith('\ufeff') ? 'utf-8-bom' : 'utf-8'
  const text = content.replace(/^\ufeff/, '')
  return { bytes: encodeWithin(displayPath, text, encoding), lines: countLines(text) }
}

type ChangeRequest = {
  readonly displayPath: string
  readonly bytes: Uint8Array
  readonly change: TextChange
  /** For a diff in which a change of the line endings is seen. */
  readonly showsEndings?: boolean
}

/**
 * The bytes of a file whose text is changed, and how it differs: undefined if it is the same. Encoding and BOM are
 * kept.
 * @throws ServiceError `invalid-input` if the file would lose bytes or what is replaced is not there; `too-large`
 */
export async function changeText(
  { displayPath, bytes: old, change, showsEndings = false }: ChangeRequest,
  isIsolated: boolean,
): Promise<NewText & { readonly difference: UnifiedDiff | undefined }> {
  const { text: before, encoding } = decodeText(old)
  // Its table of characters takes longer to make than the text.
  if (encoding === 'gb18030' && !isIsolated) throw new NeedsIsolation()
  const content =
    'content' in change
      ? wholeText(before, change)
      : replaceText(before, { ...change, displayPath: shortPath(displayPath) }, isIsolated)
  if (!survivesEncoding(before, encoding, old)) {
    const why = 'holds bytes that are no text, and that would be lost. Change it by a command.'
    throw new ServiceError('invalid-input', `${shortPath(displayPath)} ${why}`)
  }
  const text = content.replace(/^\ufeff/, '')
  const bytes = encodeWithin(displayPath, text, encoding)
  const isSame = Buffer.compare(bytes, old) === 0
  const difference = isSame
    ? undefined
    : await unifiedDiff(before, text, [displayPath, displayPath], { isIsolated, showsEndings })
  return { bytes, lines: countLines(text), difference }
}

function wholeText(before: string, { content, keepsEnding }: WholeText): string {
  const isCrlf = keepsEnding && lineEndingOf(before) === '\r\n' && !content.includes('\r\n')
  return isCrlf ? withEnding(content, '\r\n') : content
}

function encodeWithin(displayPath: string, text: string, encoding: Encoding): Uint8Array {
  const bytes = encode(text, encoding)
  if (bytes.length <= MAX_TEXT_BYTES) return bytes
  const sentence =
    `${shortPath(displayPath)} would have ${formatSize(bytes.length)}; at most ` +
    `${formatSize(MAX_TEXT_BYTES)} are written.`
  throw new ServiceError('too-large', sentence)
}

/** How much is worked on, in characters: the text that is there, what comes into it, and what it could become. */
export function sizeOfChange(bytes: Uint8Array, change: TextChange): number {
  if ('content' in change) return bytes.length + change.content.length
  const { old, replacement, all } = change
  const growth = all ? replacement.length / Math.max(1, old.length) : 0
  // A search compares as much as is looked for at many places of the text.
  const search = old.length / MAX_QUICK_SEARCH
  return bytes.length * (1 + growth + search) + old.length + replacement.length
}

const MAX_QUICK_SEARCH = 1000
