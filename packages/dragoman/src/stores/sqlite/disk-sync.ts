import { closeSync, fdatasync, openSync } from 'node:fs'

import { isTerminal, type RunEvent } from '../../events/index.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

/** Has what was committed reach the disk before it is answered. */
export interface DiskSync {
  /**
   * Sends the answers to what was asked and is committed. An answer about a run with an entry that must be on the disk
   * waits until it is there. All others are sent at once.
   */
  answer(requests: readonly WorkerRequest[], answers: readonly WorkerAnswer[]): void
  /** Resolves when nothing waits for the disk. */
  close(): Promise<void>
}

type DiskSyncOptions = {
  readonly send: (answers: WorkerAnswer[]) => void
  readonly onFailure: (error: Error) => void
}

/** What waits for one synchronization: runs, and the answers about them. */
type Round = { readonly runs: Set<unknown>; readonly answers: WorkerAnswer[] }
const createRound = (): Round => ({ runs: new Set(), answers: [] })

/**
 * Synchronizes the write-ahead log after commits, while the thread goes on. With `synchronous = FULL`, a commit would
 * have all other writers and readers wait for the disk.
 */
export function createDiskSync(file: string, { send, onFailure }: DiskSyncOptions): DiskSync {
  let log: number | undefined
  let current: Round | undefined
  let next = createRound()
  let onIdle = (): void => undefined

  function begin(): void {
    if (current || next.runs.size === 0) return
    current = next
    next = createRound()
    try {
      log ??= openSync(`${file}-wal`, 'r+')
      fdatasync(log, end)
    } catch (error) {
      end(error as Error)
    }
  }

  function end(error: Error | null): void {
    const answers = current?.answers ?? []
    current = undefined
    if (error) onFailure(error)
    send(error ? answers.map(({ id }) => ({ id, error: { message: error.message } })) : answers)
    begin()
    if (!current) onIdle()
  }

  return {
    answer(requests, answers) {
      const pairs = requests.map((request, index) => ({ request, answer: answers[index] as WorkerAnswer }))
      for (const { request, answer } of pairs)
        if (isSynced(request) && !answer.error) next.runs.add(request.args[0])
      const others: WorkerAnswer[] = []
      for (const { request, answer } of pairs) {
        const round = [next, current].find((each) => each?.runs.has(request.args[0]))
        ;(round?.answers ?? others).push(answer)
      }
      if (others.length > 0) send(others)
      begin()
    },
    async close() {
      if (current) await new Promise<void>((resolve) => (onIdle = resolve))
      if (log !== undefined) closeSync(log)
    },
  }
}

/** Loss of power may take the last words of a run, but never what a tool did, nor its end. */
function isSynced({ operation, args }: WorkerRequest): boolean {
  return operation === 'append' && (args[1] as readonly RunEvent[]).some(isKept)
}

function isKept(event: RunEvent): boolean {
  return event.type === 'tool.executing' || event.type === 'tool.answered' || isTerminal(event)
}
