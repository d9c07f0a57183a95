import { keyedQueue } from '@dragoman/agent-kit/keyed-queue'
import { createIsolatedWorker } from 'dragoman/isolate'
import { ServiceError } from 'dragoman/errors'
import { operateOnText, type OperationName, type Output, type TextRequest } from './text-operations.ts'
import { MAX_SMALL_SIZE, NeedsIsolation } from './needs-isolation.ts'

const workInWorker = createIsolatedWorker<TextRequest, unknown>({
  module: new URL('./text-worker', import.meta.url),
  sizeOf: () => 1,
  // Each owner has one request at a time.
  limits: { waiting: 64, weight: 256, megabytes: 1024 },
  timeoutMs: 10_000,
  refusals: {
    busy: 'Too many large files are being worked on.',
    busyTranslations: { zh: '正在处理的大文件太多。' },
    slow: () =>
      new ServiceError('too-large', 'This takes too long: the text is too large or too repetitive.'),
    large: () => new ServiceError('too-large', 'This takes too much memory: the text is too large.'),
  },
})

/**
 * Works on a text of a user: what is small at once, what is larger in an isolated process, so that it never stands the
 * event loop. `size` is how much is worked on, in characters. Call it in the user's turn.
 * @throws ServiceError of the operation; `too-large` for what takes too long or too much memory
 */
export async function workOnText<Name extends OperationName>(
  userId: string,
  size: number,
  request: TextRequest<Name>,
): Promise<Output<Name>> {
  if (size <= MAX_SMALL_SIZE) {
    try {
      return await operateOnText(request, false)
    } catch (error) {
      if (!(error instanceof NeedsIsolation)) throw error
    }
  }
  return (await workInWorker(userId, request)) as Output<Name>
}

/**
 * Does the work of a user on files one piece at a time: the files of one piece are in memory, and other users do not
 * wait for the others. @throws the error of the work, or the signal's reason while the work waits
 */
export const inUserTurn = keyedQueue()
