import { ServiceError } from 'dragoman/errors'

/** What a file is, by its bytes. */
export type FileKind = 'pdf' | 'docx' | 'text'

const PDF_WITHIN = 1024

/** Others that people send, each with how it begins and what to do about it. */
const others: readonly (readonly [start: string, sentence: string])[] = [
  [
    '\xd0\xcf\x11\xe0',
    'The file is an old or protected Word file: save it as an unprotected .docx or as PDF',
  ],
  ['{\\rtf', 'The file is RTF: save it as .docx or PDF'],
  ['\x89PNG', 'The file is a picture: send the resume as PDF, DOCX or text'],
  ['\xff\xd8\xff', 'The file is a picture: send the resume as PDF, DOCX or text'],
  ['GIF8', 'The file is a picture: send the resume as PDF, DOCX or text'],
]

/** Sees what a file is, whatever it is called. @throws ServiceError `invalid-request` for what is no resume */
export function kindOf(bytes: Uint8Array): FileKind {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PDF_WITHIN)).toString(
    'latin1',
  )
  if (start.includes('%PDF-')) return 'pdf'
  if (start.startsWith('PK\x03\x04')) return 'docx'
  const other = others.find(([beginning]) => start.startsWith(beginning))
  if (other) throw new ServiceError('invalid-request', other[1])
  return 'text'
}

/**
 * A file's text: UTF-8, UTF-16 with its mark, or GB18030, as Chinese editors wrote it. @throws ServiceError
 * `invalid-request` for what is no text
 */
export function textOf(bytes: Uint8Array): string {
  const [first, second] = bytes
  const utf16 =
    first === 0xff && second === 0xfe
      ? 'utf-16le'
      : first === 0xfe && second === 0xff
        ? 'utf-16be'
        : undefined
  const text = utf16 ? decoded(bytes, utf16) : (decoded(bytes, 'utf-8') ?? chinese(bytes))
  if (text === undefined || text.includes('\0')) {
    throw new ServiceError('invalid-request', 'The file is neither PDF nor DOCX nor text in UTF-8')
  }
  return text
}

function decoded(bytes: Uint8Array, encoding: string): string | undefined {
  const text = new TextDecoder(encoding).decode(bytes)
  return text.includes('\uFFFD') ? undefined : text
}

/** Bytes of Western texts may read as rare Chinese signs: only what has the common ones is taken for Chinese. */
function chinese(bytes: Uint8Array): string | undefined {
  const text = decoded(bytes, 'gb18030')
  const common = text?.match(/[的一是在有人年工作经历教育大学技能责开发项目专业公司]/gu)?.length ?? 0
  const all = text?.match(/[^\p{ASCII}]/gu)?.length ?? 0
  return common * 20 >= all ? text : undefined
}
