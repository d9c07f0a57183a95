import { ServiceError } from 'dragoman/errors'
import { createIsolatedWorker } from 'dragoman/isolate'
import { refuseLongText, type ReadResume, type ResumeText } from './formats.ts'

const read = createIsolatedWorker<ResumeText, ReadResume>({
  module: new URL('./resume-worker', import.meta.url),
  sizeOf: (input) => ('file' in input ? input.file.byteLength : input.content.length),
  limits: {
    waiting: 16,
    /** In bytes and characters: two of the largest files, or many of the usual ones. */
    weight: 64_000_000,
    megabytes: 512,
  },
  /** A resume of the usual kind takes a few hundredths of this. */
  timeoutMs: 15_000,
  refusals: {
    busy: 'Too many resumes are waiting to be read.',
    slow: () => new ServiceError('invalid-request', 'The resume cannot be read: it takes too long'),
    large: () => new ServiceError('invalid-request', 'The resume cannot be read: it takes too much memory'),
  },
})

/**
 * Reads a user's resume on a thread of its own. @throws ServiceError `invalid-request` with the reason, `too-large`,
 * `rate-limited` if too many of the user wait already, `unavailable` if too many of all do
 */
export async function readResumeInWorker(
  userId: string,
  input: ResumeText,
  withinMs?: number,
): Promise<ReadResume> {
  if (!('file' in input) && input.format !== 'pdf' && input.format !== 'docx') refuseLongText(input.content)
  return read(userId, input, withinMs)
}
