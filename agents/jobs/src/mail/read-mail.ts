import { ServiceError } from 'dragoman/errors'
import { createIsolatedWorker } from 'dragoman/isolate'
import type { MailReading } from './mail-worker.ts'

/** The postings that a mail names. @throws ServiceError */
export const readMail = createIsolatedWorker<Uint8Array, MailReading>({
  module: new URL('./mail-worker', import.meta.url),
  sizeOf: ({ byteLength }) => byteLength,
  limits: { waiting: 64, weight: 100_000_000, megabytes: 512 },
  timeoutMs: 10_000,
  refusals: {
    busy: 'Too many mails are waiting to be read.',
    slow: () => new ServiceError('timed-out', 'The mail takes too long to read.'),
    large: () => new ServiceError('too-large', 'The mail takes too much memory to read.'),
  },
})
