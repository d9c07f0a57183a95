import { useState } from 'react'

const STORAGE_KEY = 'dragoman.life.step'

type SmallStepProps = { readonly title: string; readonly date: string; readonly tip: string }

/** A small thing to do today. That it is done is remembered until the next day, in this browser. */
export function SmallStep({ title, date, tip }: SmallStepProps) {
  const step = `${date} ${tip}`
  const [isDone, setDone] = useState(() => localStorage.getItem(STORAGE_KEY) === step)
  const change = (done: boolean): void => {
    if (done) localStorage.setItem(STORAGE_KEY, step)
    else localStorage.removeItem(STORAGE_KEY)
    setDone(done)
  }
  return (
    <section className="life-card">
      <h3>{title}</h3>
      <label className="life-check">
        <input type="checkbox" checked={isDone} onChange={(event) => change(event.target.checked)} />
        <span>{tip}</span>
      </label>
    </section>
  )
}
