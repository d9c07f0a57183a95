import {
  createContext,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from 'react'
import type { VListHandle } from 'virtua'

import type { Entry } from './entries.ts'

/** Nearer to the end than this, the list stays at the end while it grows. */
const END_DISTANCE_PX = 80
/** Space over a question that is opened at its start, for the name of the tool. */
const START_SPACE_PX = 52

/** Called with a question when it appears. Where nothing scrolls by itself, nothing has to be done. */
export const QuestionOpenContext = createContext<(question: Element) => void>(() => undefined)

/**
 * Keeps the list at its end while it grows, unless the user has scrolled away. A question that does not fit there is
 * kept at its start instead, until the user acts: what is to be approved is read from there.
 */
export function useFollowEnd(list: RefObject<VListHandle | null>, entries: readonly Entry[]) {
  const [isAtEnd, setAtEnd] = useState(true)
  const place = useRef<'end' | 'free' | Element>('end')
  const lastIndex = useRef(-1)
  const scrollToEnd = useCallback((): void => {
    if (lastIndex.current >= 0) list.current?.scrollToIndex(lastIndex.current, { align: 'end' })
  }, [list])
  const keepPlace = useCallback((): void => {
    if (place.current instanceof Element && !place.current.isConnected) place.current = 'end'
    if (place.current === 'free' || !list.current) return
    if (place.current === 'end' || !scrollToStart(list.current, place.current)) scrollToEnd()
  }, [list, scrollToEnd])
  useLayoutEffect(() => {
    lastIndex.current = entries.length - 1
    keepPlace()
  }, [entries, keepPlace])
  // The text above a question grows while it is drawn.
  const [rows] = useState(() => new ResizeObserver(keepPlace))
  useEffect(() => () => rows.disconnect(), [rows])
  const openQuestion = useCallback(
    (question: Element): void => {
      const row = rowOf(question)
      if (place.current !== 'end' || !row) return
      place.current = question
      rows.observe(row)
      keepPlace()
    },
    [rows, keepPlace],
  )
  /** The user scrolls or answers. */
  const leaveQuestion = (): void => {
    if (place.current instanceof Element) place.current = isNearEnd(list.current) ? 'end' : 'free'
    rows.disconnect()
  }
  const onScroll = (): void => {
    const isNear = isNearEnd(list.current)
    setAtEnd(isNear)
    if (!(place.current instanceof Element)) place.current = isNear ? 'end' : 'free'
  }
  const followAgain = (): void => {
    place.current = 'end'
    scrollToEnd()
  }
  return { isAtEnd, followAgain, scrollToEnd, openQuestion, leaveQuestion, onScroll }
}

function isNearEnd(list: VListHandle | null): boolean {
  return !list || list.scrollSize - list.viewportSize - list.scrollOffset < END_DISTANCE_PX
}

function rowOf(question: Element): HTMLElement | null {
  return question.closest<HTMLElement>('[data-index]')
}

/** False if all from the question on fits into the list. */
function scrollToStart(list: VListHandle, question: Element): boolean {
  const row = rowOf(question)
  if (!row) return false
  const offset = question.getBoundingClientRect().top - row.getBoundingClientRect().top - START_SPACE_PX
  if (row.offsetHeight - offset <= list.viewportSize) return false
  list.scrollToIndex(Number(row.dataset['index']), { align: 'start', offset })
  return true
}
