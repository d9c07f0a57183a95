import { useState } from 'react'

/** What was written in a thread and not sent. It survives a reload of the tab. */
export function useDraft(threadId: string | undefined): [text: string, setText: (text: string) => void] {
  const key = `dragoman.draft.${threadId ?? 'new'}`
  const [draft, setDraft] = useState({ key, text: sessionStorage.getItem(key) ?? '' })
  const text = draft.key === key ? draft.text : (sessionStorage.getItem(key) ?? '')
  return [
    text,
    (next) => {
      setDraft({ key, text: next })
      if (next === '') sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, next)
    },
  ]
}
