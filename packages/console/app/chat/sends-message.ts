import type { KeyboardEvent } from 'react'

/** The code of a key that an input method has taken. Safari ends the composition before it tells of Enter. */
const TAKEN_BY_INPUT_METHOD = 229

/** Whether a key sends what was written. While an input method is open, Enter chooses a word. */
export function sendsMessage({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  const isComposing = nativeEvent.isComposing || nativeEvent.keyCode === TAKEN_BY_INPUT_METHOD
  return key === 'Enter' && !shiftKey && !isComposing
}
