import { parentPort } from 'node:worker_threads'

import { isServiceError, type ErrorCode } from '../../errors.ts'
import { readPostingPage, type PagePosting } from './posting-page.ts'

/** The thread on which pages are read: a stranger wrote them, and may have written them to take long. */

export type PageRequest = { readonly content: string; readonly url: string }

/** An error without a code was not foreseen. */
export type PageAnswer =
  | { readonly posting: PagePosting }
  | { readonly error: { readonly code?: ErrorCode; readonly message: string } }

const port = parentPort
if (!port) throw new Error('page-worker.ts is a worker thread.')

port.on('message', (request: PageRequest) => port.postMessage(answer(request)))

function answer({ content, url }: PageRequest): PageAnswer {
  try {
    return { posting: readPostingPage(content, new URL(url)) }
  } catch (error) {
    if (isServiceError(error)) return { error: { code: error.code, message: error.message } }
    return { error: { message: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }
}
