import { useState } from 'react'

import { currentUser } from '../api/session.ts'

/**
 * What was written in a place and not sent: the message to a thread, or an edit. It survives a reload of the tab. An
 * empty text is removed.
 */
export function useDraft(place: string): [text: string, setText: (text: string) => void] {
  const key = draftKey(place)
  const [draft, setDraft] = useState({ key, text: sessionStorage.getItem(key) ?? '' })
  const text = draft.key === key ? draft.text : (sessionStorage.getItem(key) ?? '')
  return [
    text,
    (next) => {
      setDraft({ key, text: next })
      writeDraft(place, next)
    },
  ]
}

export function readDraft(place: string): string {
  return sessionStorage.getItem(draftKey(place)) ?? ''
}

export function writeDraft(place: string, text: string): void {
  if (text === '') sessionStorage.removeItem(draftKey(place))
  else sessionStorage.setItem(draftKey(place), text)
}

/** Another user of the browser has other drafts. */
function draftKey(place: string): string {
  return `dragoman.draft.${currentUser()}.${place}`
}
