import { ServiceError } from 'dragoman/errors'
import { aside } from '@dragoman/agent-kit/isolate/aside'
import type { MailReading } from './mail-worker.ts'

/** Reads the postings that a mail names. @throws ServiceError */
export const readMail = aside<Uint8Array, MailReading>({
  module: new URL('./mail-worker', import.meta.url),
  weigh: ({ byteLength }) => byteLength,
  most: { waiting: 64, weight: 100_000_000, megabytes: 512 },
  withinMs: 10_000,
  refusals: {
    busy: 'Too many mails are waiting to be read.',
    slow: () => new ServiceError('timed-out', 'The mail takes too long to read.'),
    large: () => new ServiceError('too-large', 'The mail takes too much memory to read.'),
  },
})
