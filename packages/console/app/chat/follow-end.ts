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

/** What stays in sight while the list grows: its end, nothing, a question or the message of a key. */
type Place = 'end' | 'free' | Element | { readonly key: string }

/**
 * Keeps the list at its end while it grows, unless the user has scrolled away. A question that does not fit there is
 * kept at its start instead, until the user acts: what is to be approved is read from there.
 */
export function useFollowEnd(list: RefObject<VListHandle | null>, entries: readonly Entry[]) {
  const [isAtEnd, setAtEnd] = useState(true)
  const place = useRef<Place>('end')
  const keys = useRef<readonly string[]>([])
  /** Whether the user has last scrolled up. */
  const isLeaving = useRef(false)
  const keepPlace = useCallback((): void => {
    if (place.current instanceof Element && !place.current.isConnected) place.current = 'end'
    if (list.current) scrollToPlace(list.current, place.current, keys.current)
  }, [list])
  useLayoutEffect(() => {
    keys.current = entries.map(({ key }) => key)
    keepPlace()
  }, [entries, keepPlace])
  // The text above a question grows while it is drawn.
  const rows = useSizeObserver(keepPlace)
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
    if (typeof place.current === 'object') place.current = isNearEnd(list.current) ? 'end' : 'free'
    rows.disconnect()
  }
  /** The list is left at once, however little the user scrolls up, and followed again when the end is scrolled to. */
  const onDirection = (direction: 'up' | 'down'): void => {
    isLeaving.current = direction === 'up'
    if (isLeaving.current && place.current === 'end' && canScroll(list.current)) place.current = 'free'
  }
  const onScroll = (): void => {
    const isNear = isNearEnd(list.current)
    setAtEnd(isNear)
    if (typeof place.current === 'string') place.current = isNear && !isLeaving.current ? 'end' : 'free'
  }
  /** A list that grows where it was left does not scroll. */
  const onGrow = useCallback((): void => {
    if (place.current === 'free') setAtEnd(isNearEnd(list.current))
    else if (isEntry(place.current)) keepPlace()
  }, [list, keepPlace])
  const hold = useCallback(
    (to: Place): void => {
      place.current = to
      keepPlace()
    },
    [keepPlace],
  )
  const followAgain = (): void => {
    isLeaving.current = false
    hold('end')
  }
  return { isAtEnd, followAgain, hold, openQuestion, leaveQuestion, onScroll, onGrow, onDirection }
}

function useSizeObserver(act: () => void): ResizeObserver {
  const [observer] = useState(() => new ResizeObserver(act))
  useEffect(() => () => observer.disconnect(), [observer])
  return observer
}

function isEntry(place: Place): place is { readonly key: string } {
  return typeof place === 'object' && 'key' in place
}

function scrollToPlace(list: VListHandle, place: Place, keys: readonly string[]): void {
  if (place === 'free' || keys.length === 0) return
  if (isEntry(place)) {
    const index = keys.indexOf(place.key)
    if (index >= 0) list.scrollToIndex(index, { align: 'center' })
  } else if (place === 'end' || !scrollToStart(list, place))
    list.scrollToIndex(keys.length - 1, { align: 'end' })
}

function isNearEnd(list: VListHandle | null): boolean {
  return !list || list.scrollSize - list.viewportSize - list.scrollOffset < END_DISTANCE_PX
}

function canScroll(list: VListHandle | null): boolean {
  return list !== null && list.scrollSize > list.viewportSize
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
