import { useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'

import { useChangeThread, type useMessages } from '../api/queries.ts'
import type { FoundMessage } from '../api/types.ts'
import type { Entry } from './entries.ts'

const PARAMETER = 'message'

/** The message that an address asks for. Each visit of the address is another one. */
export type Target = { readonly key: string }

/** The address of a message in its thread. */
export function messagePath({ thread, messageId }: Pick<FoundMessage, 'thread' | 'messageId'>): string {
  return `/console/threads/${thread.id}?${new URLSearchParams({ [PARAMETER]: messageId }).toString()}`
}

export function useTarget(): Target | undefined {
  const [parameters] = useSearchParams()
  const visit = useHistoryState<unknown>()
  const id = parameters.get(PARAMETER)
  return useMemo(() => (id === null ? undefined : { key: id }), [id, visit])
}

type Path = {
  readonly threadId: string
  readonly target: Target | undefined
  readonly messages: ReturnType<typeof useMessages>
  readonly entries: readonly Entry[]
}

/**
 * Loads the earlier messages up to the one that is asked for, on its branch. Returns whether the thread does not have
 * that message.
 */
export function usePathToTarget({ threadId, target, messages, entries }: Path): boolean {
  const { mutate, isPending } = useChangeThread()
  const branchOf = useRef<Target>(undefined)
  const [missing, setMissing] = useState<Target>()
  const isLoaded = entries.some(({ key }) => key === target?.key)
  const { data, isFetching, isError, hasNextPage, fetchNextPage } = messages
  const isWaiting = data === undefined || isFetching || isError || isPending
  useEffect(() => {
    if (!target || isLoaded || isWaiting || missing === target) return
    if (branchOf.current !== target) {
      branchOf.current = target
      mutate({ id: threadId, change: { chosen: target.key } }, { onError: () => setMissing(target) })
    } else if (hasNextPage) void fetchNextPage()
    else setMissing(target)
  }, [threadId, target, isLoaded, isWaiting, missing, hasNextPage, data, mutate, fetchNextPage])
  return target !== undefined && missing === target && !isLoaded
}
