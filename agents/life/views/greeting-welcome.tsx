import type { WelcomeProps } from '@dragoman/console/view'

import css from './greeting.css?inline'
import { useGreeting } from './use-greeting.ts'

/** The greeting of the day: the same until midnight. Nothing is shown where there is none. */
export default function GreetingCard({ language, kit }: WelcomeProps) {
  const greeting = useGreeting(kit, language)
  if (!greeting) return null
  const { title, greeting: text, termDescription, fortune_hint: hint, action_tip: tip, disclaimer } = greeting
  return (
    <section className="life-greeting">
      <style href="life-greeting" precedence="low">
        {css}
      </style>
      <h3>{title}</h3>
      <p>{text}</p>
      {[termDescription, hint, tip].map((line) => (
        <p key={line}>{line}</p>
      ))}
      <small>{disclaimer}</small>
    </section>
  )
}
