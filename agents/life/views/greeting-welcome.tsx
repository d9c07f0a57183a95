import type { WelcomeProps } from '@dragoman/console/view'
import { useEffect, useState } from 'react'

import css from './greeting.css?inline'

type Greeting = {
  readonly title: string
  readonly greeting: string
  readonly termDescription?: string
  readonly fortune_hint?: string
  readonly action_tip?: string
  readonly disclaimer?: string
}

/** The greeting of the day: the same until midnight. Nothing is shown where there is none. */
export default function GreetingCard({ language }: WelcomeProps) {
  const [greeting, setGreeting] = useState<Greeting>()
  useEffect(() => {
    const abort = new AbortController()
    void loadGreeting(language, abort.signal).then(setGreeting)
    return () => abort.abort()
  }, [language])
  if (!greeting) return null
  const { title, greeting: text, termDescription, fortune_hint: hint, action_tip: tip, disclaimer } = greeting
  return (
    <section className="life-greeting">
      <style href="life-greeting" precedence="low">
        {css}
      </style>
      <h3>{title}</h3>
      <p>{text}</p>
      {[termDescription, hint, tip].map((line) => line !== undefined && <p key={line}>{line}</p>)}
      {disclaimer !== undefined && <small>{disclaimer}</small>}
    </section>
  )
}

async function loadGreeting(language: string, signal: AbortSignal): Promise<Greeting | undefined> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const query = new URLSearchParams({ time_zone: timeZone, language: language === 'zh' ? 'zh' : 'en' })
  try {
    const response = await fetch(`/api/fortune/greeting?${query}`, { signal })
    return response.ok ? ((await response.json()) as Greeting) : undefined
  } catch {
    // The page is left, or the server cannot be reached, which the page says itself.
    return undefined
  }
}
