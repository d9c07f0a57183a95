import { useEffect, useState } from 'react'

export const voices = { warm: '暖心 · warm', sarcastic: '毒舌 · sharp', wise: '导师 · wise' }
export type Voice = keyof typeof voices

type GreetingBody = {
  greeting: string
  solarTerm?: string
  termDescription?: string
  todayTip?: string
  fortune_hint?: string
  actionItem?: { text: string; completed: boolean }
  disclaimer?: string
}

/** The greeting of the day: the same until midnight. */
export function Greeting({ voice }: { voice: Voice }) {
  const [said, setSaid] = useState<GreetingBody>()
  const [done, setDone] = useState(false)
  useEffect(() => {
    const control = new AbortController()
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const query = new URLSearchParams({ voice_mode: voice, time_zone: zone, language: language() })
    fetch(`/api/fortune/greeting?${query}`, { signal: control.signal })
      .then(async (answer) => (answer.ok ? setSaid((await answer.json()) as GreetingBody) : undefined))
      .catch(() => undefined)
    return () => control.abort()
  }, [voice])
  if (!said) return null
  const { greeting, solarTerm, termDescription, todayTip, fortune_hint, actionItem, disclaimer } = said
  return (
    <section className="greeting">
      <p>{greeting}</p>
      {solarTerm && (
        <p className="quiet">
          {solarTerm}
          {termDescription && ` · ${termDescription}`}
        </p>
      )}
      {(todayTip ?? fortune_hint) && <p className="quiet">{todayTip ?? fortune_hint}</p>}
      {actionItem && (
        <label>
          <input type="checkbox" checked={done} onChange={() => setDone(!done)} /> {actionItem.text}
        </label>
      )}
      {disclaimer && <small className="quiet">{disclaimer}</small>}
    </section>
  )
}

export function language(): 'zh' | 'en' {
  return navigator.language.startsWith('zh') ? 'zh' : 'en'
}
