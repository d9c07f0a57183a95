import { useRef, type KeyboardEvent, type TouchEvent, type WheelEvent } from 'react'

const KEYS_UP: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home'])
const KEYS_DOWN: ReadonlySet<string> = new Set(['ArrowDown', 'PageDown', 'End'])

type Scrolling = {
  /** The user does something in the list. */
  readonly onAct: () => void
  /** The user scrolls up or down, or may with the scroll bar, before the list has moved. */
  readonly onDirection: (direction: 'up' | 'down') => void
}

/** What an element must handle so that it is known which way its user scrolls, with any device. */
export function useScrollHandlers({ onAct, onDirection }: Scrolling) {
  const touchY = useRef(0)
  return {
    onWheel({ deltaY }: WheelEvent): void {
      onAct()
      if (deltaY !== 0) onDirection(deltaY < 0 ? 'up' : 'down')
    },
    onTouchStart({ touches }: TouchEvent): void {
      onAct()
      touchY.current = touches[0]?.clientY ?? 0
    },
    onTouchMove({ touches }: TouchEvent): void {
      const y = touches[0]?.clientY ?? 0
      // The list follows the finger.
      if (y !== touchY.current) onDirection(y > touchY.current ? 'up' : 'down')
      touchY.current = y
    },
    onPointerDown(): void {
      onAct()
      onDirection('down')
    },
    onKeyDown({ key }: KeyboardEvent): void {
      onAct()
      if (KEYS_UP.has(key)) onDirection('up')
      if (KEYS_DOWN.has(key)) onDirection('down')
    },
  }
}
