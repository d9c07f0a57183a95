import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { placeAfter, TEXT_START } from './thought-tags.ts'

type Part = LanguageModelV4StreamPart
type TextStart = Extract<Part, { type: 'text-start' }>

/** Makes the parts of a text and of the thoughts before and in it. None is there if nothing is in it. */
export function createSplitText() {
  const parts: Part[] = []
  let textStart: TextStart = { type: 'text-start', id: 'text' }
  let isOpen = false
  let place = TEXT_START
  let textCount = 1
  let thoughtCount = 0
  let thoughtId: string | undefined
  let firstId = textStart.id
  const end = (): void => {
    if (isOpen) parts.push({ type: 'text-end', id: textStart.id })
    isOpen = false
  }
  return {
    start(part: TextStart): void {
      textStart = part
      firstId = part.id
    },
    add(delta: string): void {
      if (delta === '') return
      if (!isOpen) parts.push(textStart)
      isOpen = true
      place = placeAfter(place, delta)
      parts.push({ type: 'text-delta', id: textStart.id, delta })
    },
    end,
    addThought(delta: string): void {
      const text = thoughtId === undefined ? delta.trimStart() : delta
      if (text === '') return
      if (isOpen) {
        end()
        textCount += 1
        textStart = { ...textStart, id: `${firstId}-${textCount}` }
      }
      if (thoughtId === undefined) {
        thoughtCount += 1
        thoughtId = `${firstId}-thought-${thoughtCount}`
        parts.push({ type: 'reasoning-start', id: thoughtId })
      }
      parts.push({ type: 'reasoning-delta', id: thoughtId, delta: text })
    },
    endThought(): void {
      if (thoughtId !== undefined) parts.push({ type: 'reasoning-end', id: thoughtId })
      thoughtId = undefined
    },
    /** Where the text has ended so far. */
    place: () => place,
    /** The parts since the last time. */
    take: () => parts.splice(0),
  }
}
