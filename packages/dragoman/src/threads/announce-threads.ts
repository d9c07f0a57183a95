import type { UserChanges } from '../log/index.ts'
import type { Thread } from './thread-rows.ts'
import type { Forks } from './forks.ts'
import type { Questions } from './questions.ts'
import type { ThreadDeletion } from './thread-deletion.ts'
import type { Threads } from './threads.ts'
import type { OwnershipTransfer } from './transfer-ownership.ts'

/** The services that change threads and their questions. */
type ThreadWriters = {
  readonly threads: Threads
  readonly forks: Forks
  readonly ownership: OwnershipTransfer
  readonly deletion: ThreadDeletion
  readonly questions: Questions
}

/** The same services, which announce what they change to the clients of its user. */
export function announceThreads<Services extends ThreadWriters>(
  services: Services,
  changes: UserChanges,
): Services {
  const { threads, forks, ownership, deletion, questions } = services
  const changed = (thread: Thread): Thread => {
    changes.announce(thread.userId, { type: 'thread.changed', threadId: thread.id })
    return thread
  }
  const announceNew = <Opened extends { readonly thread: Thread; readonly isNew: boolean }>(
    opened: Opened,
  ) => {
    if (opened.isNew) changed(opened.thread)
    return opened
  }
  const announceQuestions = (userId: string | undefined): string | undefined => {
    if (userId !== undefined) changes.announce(userId, { type: 'questions.changed' })
    return userId
  }
  return {
    ...services,
    threads: {
      ...threads,
      open: async (named) => announceNew(await threads.open(named)),
      create: async (named) => announceNew(await threads.create(named)),
      change: async (thread, to) => changed(await threads.change(thread, to)),
      amend: async (thread, change) => changed(await threads.amend(thread, change)),
      async remove(thread) {
        await threads.remove(thread)
        changes.announce(thread.userId, { type: 'thread.deleted', threadId: thread.id })
      },
    },
    forks: { fork: async (...args) => changed(await forks.fork(...args)) },
    ownership: {
      async transfer(from, to) {
        const count = await ownership.transfer(from, to)
        for (const userId of [from, to]) changes.announce(userId, { type: 'changed' })
        return count
      },
    },
    deletion: {
      ...deletion,
      async remove(threadId) {
        const userId = await deletion.remove(threadId)
        if (userId !== undefined) changes.announce(userId, { type: 'thread.deleted', threadId })
        return userId
      },
    },
    questions: {
      ...questions,
      async open(run, question) {
        await questions.open(run, question)
        announceQuestions(run.userId)
      },
      close: async (callId) => announceQuestions(await questions.close(callId)),
      closeAll: async (runId) => announceQuestions(await questions.closeAll(runId)),
    },
  }
}
