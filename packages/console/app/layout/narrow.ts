const narrow = matchMedia('(max-width: 52rem)')

/** Whether the screen is too narrow for two columns. */
export function isNarrowNow(): boolean {
  return narrow.matches
}

export function onNarrowChange(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}
