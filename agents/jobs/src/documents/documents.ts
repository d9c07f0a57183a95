import { ServiceError } from 'dragoman/errors'
import { createIsolatedWorker } from 'dragoman/isolate'
import { languageOf, type Language } from '../words/language.ts'
import type { DocumentRequest } from './document-worker.ts'
import type { Drawing } from './drawing.ts'
import type { Paper, Template } from './templates.ts'

/** In characters: some thirty pages, and twenty times a long resume. */
const MAX_CHARACTERS = 100_000

export type DocumentOptions = {
  readonly template: Template
  readonly paper?: Paper | undefined
  /** Of most of its words; seen from them unless told. */
  readonly language?: Language | undefined
  /** Of the file, as readers show it; the name in the resume unless told. */
  readonly title?: string | undefined
}

/** Makes files of Markdown, on a thread of its own. The same Markdown gives the same bytes. */
export interface Documents {
  /** @throws ServiceError `too-large`; `rate-limited` or `unavailable` where too many wait; the signal's reason */
  pdf(userId: string, markdown: string, options: DocumentOptions, signal?: AbortSignal): Promise<Drawing>
  /** A file of Word, for those who want to go on working on it. @throws as `pdf` */
  docx(userId: string, markdown: string, options: DocumentOptions, signal?: AbortSignal): Promise<Drawing>
}

const make = createIsolatedWorker<DocumentRequest, Drawing>({
  module: new URL('./document-worker', import.meta.url),
  sizeOf: ({ markdown }) => markdown.length,
  limits: { waiting: 32, weight: 2_000_000, megabytes: 512 },
  /** The longest that is allowed takes a fifth of this. */
  timeoutMs: 20_000,
  refusals: {
    busy: 'Too many documents are waiting to be made.',
    slow: () => new ServiceError('too-large', 'The document takes too long to make'),
    large: () => new ServiceError('too-large', 'The document takes too much memory to make'),
  },
})

export function documents(): Documents {
  const made = async (
    [userId, kind]: readonly [string, DocumentRequest['kind']],
    markdown: string,
    options: DocumentOptions,
    signal?: AbortSignal,
  ): Promise<Drawing> => {
    signal?.throwIfAborted()
    if (markdown.length > MAX_CHARACTERS) {
      throw new ServiceError(
        'too-large',
        `A document may have at most ${MAX_CHARACTERS.toLocaleString('en-US')} characters`,
      )
    }
    const { template, paper = 'a4', language = languageOf(markdown), title } = options
    const look = { template, paper, language, ...(title !== undefined && { title }) }
    return unlessAborted(make(userId, { kind, markdown, look }), signal)
  }
  return {
    pdf: (userId, markdown, options, signal) => made([userId, 'pdf'], markdown, options, signal),
    docx: (userId, markdown, options, signal) => made([userId, 'docx'], markdown, options, signal),
  }
}

/** The work itself goes on to its end, which is near. An aborted caller does not wait for it. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const departure = Promise.withResolvers<never>()
  const leave = (): void => departure.reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, departure.promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
