import { stepByStep } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import {
  estimateWords,
  fileUrl,
  isGuest,
  MAX_FILE_WORDS,
  mediaTypeOf,
  namedFileId,
  readDataUrlInSteps,
  type UserPart,
} from '../events/index.ts'
import type { FileOfUser, RunFiles, StartRequest } from './ports.ts'

type FilePart = Extract<UserPart, { type: 'file' }>
type Message = StartRequest['message']
type Accepted = {
  readonly message: Message
  /** The characters that the words of its files may take in a prompt, by an estimate. */
  readonly fileWords: number
}
type Owner = { readonly userId: string; readonly files: RunFiles; readonly keepsData: boolean }

/** A file costs time, however small it is: to be found, stored, read and named. */
const MAX_FILES = 50

/**
 * The message with its files in the file store: the log holds their addresses. An address of a stored file must be one
 * of the user's. `keepsData`: content that comes with the message stays in the log, as that is soon removed.
 * @throws ServiceError `invalid-request` for a file that the user does not have, `storage-full`, `too-large` for a file
 * or too many of them, and `forbidden` for files of a guest: what strangers send is stored, and the owner pays for it
 */
export async function acceptFiles(
  { message, userId }: Pick<StartRequest, 'message' | 'userId'>,
  files: RunFiles | undefined,
  keepsData = false,
): Promise<Accepted> {
  const count = message.parts.filter(({ type }) => type === 'file').length
  if (count === 0) return { message, fileWords: 0 }
  if (isGuest(userId)) throw new ServiceError('forbidden', 'parts: guests cannot send files.')
  if (count > MAX_FILES)
    throw new ServiceError(
      'too-large',
      `parts: a message may have at most ${MAX_FILES} files, and this one has ${count}. Send some in another message.`,
    )
  if (!files) return { message, fileWords: 0 }
  const parts: UserPart[] = []
  const words = new Map<string, number>()
  for (const [index, part] of message.parts.entries()) {
    if (part.type === 'text') parts.push(part)
    else {
      const accepted = await acceptFile(part, index, { userId, files, keepsData })
      parts.push(accepted.part)
      words.set(accepted.part.url, accepted.words)
    }
  }
  const fileWords = [...words.values()].reduce((sum, each) => sum + each, 0)
  return { message: { ...message, parts }, fileWords: Math.min(fileWords, MAX_FILE_WORDS) }
}

/** The ids of the stored files in a message. */
export function fileIdsIn(parts: readonly UserPart[]): string[] {
  return parts.flatMap((part) => (part.type === 'file' ? (namedFileId(part.url) ?? []) : []))
}

async function acceptFile(
  part: FilePart,
  index: number,
  { userId, files, keepsData }: Owner,
): Promise<{ readonly part: FilePart; readonly words: number }> {
  const { url, filename } = part
  if (/^data:/i.test(url)) {
    const inline = await stepByStep(readDataUrlInSteps(url))
    if (!inline) throw invalid(index, 'must be a data: URL, like data:image/png;base64,iVBORw0KGgo=')
    const { data, mediaType = part.mediaType } = inline
    const content = Buffer.from(data, 'base64')
    if (keepsData) {
      const type = mediaTypeOf(content, mediaType)
      const words = estimateWords({ mediaType: type, bytes: content.byteLength })
      return { part: { ...part, url: `data:${type};base64,${data}` }, words }
    }
    return toPart(
      await files.save({ userId }, { mediaType, content, ...(filename !== undefined && { filename }) }),
      filename,
    )
  }
  const id = namedFileId(url)
  if (id === undefined) return { part, words: 0 }
  const stored = await files.find(userId, id)
  if (stored) return toPart(stored, filename)
  throw invalid(index, `you have no file ${id}. Send it with POST /v1/files first.`)
}

function invalid(index: number, reason: string): ServiceError {
  return new ServiceError('invalid-request', `parts.${index}.url: ${reason}`)
}

/** The same for a file and for its address, so that a message which is sent again is the same. */
function toPart(
  { id, mediaType, bytes, filename: earlier }: FileOfUser,
  filename = earlier,
): { readonly part: FilePart; readonly words: number } {
  const part = {
    type: 'file',
    url: fileUrl(id),
    mediaType,
    ...(filename !== undefined && { filename }),
  } as const
  return { part, words: estimateWords({ mediaType, bytes }) }
}
